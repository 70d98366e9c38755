# How every target of the project is compiled, and one function per kind of target.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers hit the cache only with these (and -fpch-preprocess below).
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

add_library(mantissa_options INTERFACE)
target_include_directories(mantissa_options INTERFACE ${CMAKE_SOURCE_DIR})
# Strict IEEE evaluation everywhere: contraction is never left to the compiler's taste.
target_compile_options(mantissa_options INTERFACE -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion
  -Wsign-conversion -Wdouble-promotion -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies in std::string's operator+ at -O3 (GCC bug 105329).
  target_compile_options(mantissa_options INTERFACE -fpch-preprocess -Wno-restrict)
endif()
if(MANTISSA_WERROR)
  target_compile_options(mantissa_options INTERFACE -Werror)
endif()
if(MANTISSA_SANITIZE)
  target_compile_options(mantissa_options INTERFACE -fsanitize=${MANTISSA_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code makes GCC see uninitialised uses in <regex> and std::function that are none.
    target_compile_options(mantissa_options INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_link_options(mantissa_options INTERFACE -fsanitize=${MANTISSA_SANITIZE})
  target_compile_definitions(mantissa_options INTERFACE MANTISSA_SANITIZED=1)
endif()

# One static library per layer: mantissa_layer(model) compiles engine/model/*.cpp and verifies that every
# header of the layer compiles alone. DEPENDS names the layers it may include.
function(mantissa_layer name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h)
  add_library(mantissa_${name} STATIC ${sources})
  target_sources(mantissa_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR} FILES ${headers})
  set_target_properties(mantissa_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(mantissa_${name} PUBLIC mantissa_options)
  foreach(d ${ARG_DEPENDS})
    target_link_libraries(mantissa_${name} PUBLIC mantissa_${d})
  endforeach()
  target_link_libraries(mantissa_${name} PRIVATE ${ARG_LINK})
endfunction()
