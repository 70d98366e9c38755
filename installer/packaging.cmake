# What `cmake --install` and `cpack` put where: window and command line, the lessons with their licences, the notices,
# and what a desktop needs to show and open them.
# NVIDIA's libraries are never shipped; the GPU module is a package of its own once it runs graphs.
include(GNUInstallDirs)
if(TARGET mantissa)
  install(TARGETS mantissa RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${CMAKE_SOURCE_DIR}/installer/mantissa.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${CMAKE_SOURCE_DIR}/installer/mantissa-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
    RENAME mantissa.xml)
  set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable)
  install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/app/mantissa.svg DESTINATION ${icons}/apps)
  install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/app/mantissa-document.svg DESTINATION ${icons}/mimetypes)
endif()
install(TARGETS mantissa-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/lessons DESTINATION ${CMAKE_INSTALL_DATADIR}/mantissa)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/NOTICE ${CMAKE_SOURCE_DIR}/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB font_licences ${CMAKE_SOURCE_DIR}/resources/fonts/*.txt)
install(FILES ${font_licences} DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_VENDOR "The Mantissa developers")
set(CPACK_PACKAGE_CONTACT "The Mantissa developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "See what each dtype of a neural network costs")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
