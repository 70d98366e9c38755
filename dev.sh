#!/usr/bin/env bash
# The one door for people: ./dev.sh run, ./dev.sh test, and the words below for those who work on it.
set -euo pipefail
cd "$(dirname "$0")"
export DEBIAN_FRONTEND=noninteractive

build_packages=(g++ cmake ninja-build ccache pkg-config libzip-dev nlohmann-json3-dev libcli11-dev libsleef-dev
  libpng-dev libjpeg62-turbo-dev zlib1g-dev libxxhash-dev)
window_packages=(qt6-base-dev libqt6charts6-dev libqt6opengl6-dev libqt6svg6-dev libgl-dev)
shot_packages=(xvfb xauth)
test_packages=(qt6-base-dev python3 python3-numpy python3-h5py python3-mpmath)
lint_packages=(clang-format clang-16 clang-tidy-16 clazy)
jobs=${JOBS:-$(nproc)}

usage() {
  cat <<'EOT'
./dev.sh run          build what users run, and open the window
./dev.sh test         build everything and run every test
./dev.sh build        build the dev preset
./dev.sh bench        the times of engine and window, and their gates (on a quiet machine)
./dev.sh format       format all sources (clang-format)
./dev.sh lint         check the format, and clang-tidy
./dev.sh asan         all tests under address and undefined-behaviour sanitizers
./dev.sh tsan         the tests of the engine and of the window's threads under the thread sanitizer
./dev.sh shots        pictures of the window, light and dark, at 1x and 2x, into build/shots
./dev.sh lessons      write resources/lessons again from ../shared
EOT
}

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# Installs the Debian packages that are missing; says which if it may not.
need() {
  local missing=() p
  for p in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "not root and no sudo: please install: ${missing[*]}"; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure_and_build PRESET [--target T] [-DNAME=VALUE ...]
configure_and_build() {
  local preset=$1 target=()
  shift
  if [ "${1:-}" = --target ]; then
    read -ra target <<<"--target $2"
    shift 2
  fi
  local log
  log=$(mktemp)
  cmake --preset "$preset" -DPython3_EXECUTABLE=/usr/bin/python3 "$@" >"$log" 2>&1 || { cat "$log"; rm -f "$log"; exit 1; }
  rm -f "$log"
  cmake --build --preset "$preset" -j "$jobs" "${target[@]}"
}

run_tests() {
  ctest --preset "$1" -j "$jobs" "${@:2}"
}

sources() { git ls-files -- '*.h' '*.cpp' '*.cu'; }

case "${1:-help}" in
  run)
    need "${build_packages[@]}" "${window_packages[@]}"
    say "building"
    configure_and_build release >&2
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
      exec build/release/app/mantissa "${@:2}"
    fi
    say "no display here (DISPLAY and WAYLAND_DISPLAY are empty): the seed lesson by mantissa-cli instead of the window"
    build/release/app/mantissa-cli run resources/lessons/seed.mantissa "${@:2}"
    ;;
  test)
    need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}"
    configure_and_build dev
    cmake --build --preset dev -j "$jobs" --target all_verify_interface_header_sets >/dev/null  # each header compiles alone
    run_tests dev "${@:2}"
    ;;
  build)
    need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}"
    configure_and_build dev
    ;;
  bench)
    need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}"
    configure_and_build bench --target "perf_report perf_canvas perf_window" >&2
    export QT_QPA_PLATFORM=offscreen
    missed=0
    for bench in perf_report perf_window perf_canvas; do
      build/bench/tests/$bench || missed=1
    done
    [ $missed -eq 0 ] || { say "a gate was missed (see above)"; exit 1; }
    ;;
  format)
    need "${lint_packages[@]}"
    sources | xargs clang-format -i
    ;;
  lint)
    need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}" "${lint_packages[@]}"
    sources | xargs clang-format --dry-run -Werror
    cmake --preset tidy -DPython3_EXECUTABLE=/usr/bin/python3 >/dev/null
    git ls-files -- 'engine/*.cpp' 'app/*.cpp' |
      xargs -P "$jobs" -n 4 clang-tidy-16 -p build/tidy --quiet --warnings-as-errors='*'
    ;;
  asan)
    need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}"
    configure_and_build asan-ubsan -DMANTISSA_CUDA=OFF
    run_tests asan-ubsan "${@:2}"
    ;;
  tsan)
    need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}"
    configure_and_build tsan --target thread_tests -DMANTISSA_CUDA=OFF
    run_tests tsan -L threads "${@:2}"
    ;;
  shots)
    need "${build_packages[@]}" "${window_packages[@]}" "${test_packages[@]}" "${shot_packages[@]}"
    configure_and_build dev --target "mantissa_shots tst_newcomer"
    mkdir -p build/shots/1x build/shots/2x
    for scale in 1 2; do
      MANTISSA_SHOTS=$PWD/build/shots/${scale}x QT_SCALE_FACTOR=$scale \
        xvfb-run -a -s "-screen 0 $((1440 * scale))x$((900 * scale))x24" \
        sh -c "build/dev/tests/mantissa_shots && build/dev/tests/tst_newcomer -silent"
    done
    say "in build/shots"
    ;;
  lessons)
    need python3 python3-numpy python3-h5py
    /usr/bin/python3 tools/make_lessons.py
    ;;
  *)
    usage
    [ "${1:-help}" = help ] || exit 2
    ;;
esac
