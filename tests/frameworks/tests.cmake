# The Python tests of this folder. 77 is a visible skip: the collection, h5py or mpmath is not here.
foreach(script keras_layers framework_models verify_dump lesson_answers check_lessons)
  add_test(NAME frameworks_${script}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/frameworks/${script}.py $<TARGET_FILE:mantissa-cli>)
  set_tests_properties(frameworks_${script} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
endforeach()
