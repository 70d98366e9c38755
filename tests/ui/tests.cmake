# The look: the palette's own check, and that what is generated from the tokens is up to date. No window needed.
add_test(NAME ui_check_palette COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/ui/check_palette.py)
add_test(NAME ui_tokens_are_current COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/make_tokens.py --check)
set_tests_properties(ui_check_palette ui_tokens_are_current PROPERTIES TIMEOUT 60
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
