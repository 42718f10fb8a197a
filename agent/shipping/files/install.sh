#!/bin/sh
# Installs the Shigur agent as a service on a Linux machine with systemd, or updates it. Run as root.
#   from the archive:  tar xzf shigur-agent-linux-x86_64.tar.gz && sudo shigur-agent/install.sh --edge URL --token TOKEN
#   from the edge:     curl -fsS https://EDGE/agent/install.sh | sudo sh -s -- --edge https://EDGE --token TOKEN
# An update needs neither --edge nor --token. --no-adb leaves adb to you.
set -eu
# Root may have a stricter umask, and the service has to read the installed files.
umask 022

HOME_DIR=/opt/shigur-agent
STATE_DIR=/var/lib/shigur-agent

main() {
  edge= token= adb=yes
  while [ $# -gt 0 ]; do
    case $1 in
      --edge) edge=${2:?"--edge needs an address"}; shift 2 ;;
      --token) token=${2:?"--token needs a join token"}; shift 2 ;;
      --no-adb) adb=no; shift ;;
      *) fail "לא מובן: $1" "not understood: $1" ;;
    esac
  done
  edge=${edge%/}
  case $edge in *[!A-Za-z0-9.:/_%\[\]-]*) fail "הכתובת אינה תקינה: $edge" "not an address: $edge" ;; esac
  [ "$(id -u)" = 0 ] || fail "יש להריץ עם sudo" "run this with sudo"
  [ "$(uname -s)" = Linux ] || fail "תוכנת האתר מותקנת על לינוקס בלבד" "the agent is for Linux alone"
  [ -n "$edge" ] || edge=$(known_edge)
  [ -n "$edge" ] || fail "חסר --edge" "--edge is missing"

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  find_package
  [ "$adb" = no ] || need_adb
  make_user
  put_files
  put_settings
  enrol
  start
}

# The files beside this script, or the edge's archive for this processor.
find_package() {
  case $0 in
    */install.sh) package=${0%/*} ;;
    install.sh) package=. ;;
    *) package=/nonexistent ;;
  esac
  [ ! -f "$package/agent.js" ] || return 0
  archive=shigur-agent-linux-$(uname -m).tar.gz
  say "מוריד את תוכנת האתר…" "Downloading the agent…"
  curl -fsS -o "$work/$archive" "$edge/agent/package/$archive" ||
    fail "אין בשרת חבילה למעבד $(uname -m)" "the edge has no package for processor $(uname -m)"
  tar -C "$work" -xzf "$work/$archive"
  package=$work/shigur-agent
}

need_adb() {
  ! command -v adb >/dev/null || return 0
  say "מתקין adb…" "Installing adb…"
  if command -v apt-get >/dev/null; then
    { apt-get -q update && apt-get -qy --no-install-recommends install adb; } >"$work/apt.log" 2>&1 || tail -3 "$work/apt.log" >&2
  fi
  command -v adb >/dev/null ||
    say "adb לא הותקן. יש להתקין אותו ביד; תוכנת האתר תמצא אותו." "adb was not installed. Install it by hand; the agent finds it."
}

make_user() {
  getent group plugdev >/dev/null || groupadd --system plugdev
  getent passwd shigur >/dev/null ||
    useradd --system --user-group --home-dir "$STATE_DIR" --no-create-home --shell /usr/sbin/nologin shigur
  usermod -a -G plugdev shigur
  mkdir -p "$STATE_DIR"
  chown shigur:shigur "$STATE_DIR"
  chmod 0700 "$STATE_DIR"
}

# The new version is complete beside the old one before it replaces it. A running agent keeps its open files.
put_files() {
  rm -rf "$HOME_DIR.new"
  mkdir -p "${HOME_DIR%/*}"
  cp -r "$package" "$HOME_DIR.new"
  chown -R root:root "$HOME_DIR.new"
  rm -rf "$HOME_DIR.old"
  [ ! -d "$HOME_DIR" ] || mv "$HOME_DIR" "$HOME_DIR.old"
  mv "$HOME_DIR.new" "$HOME_DIR"
  rm -rf "$HOME_DIR.old"
  mkdir -p /etc/systemd/system /etc/udev/rules.d /usr/local/bin
  cp "$HOME_DIR/shigur-agent.service" /etc/systemd/system/
  cp "$HOME_DIR/60-shigur-agent.rules" /etc/udev/rules.d/
  printf '#!/bin/sh\nexec %s/bin/shigur-agent "$@"\n' "$HOME_DIR" >/usr/local/bin/shigur-agent
  chmod 0755 /usr/local/bin/shigur-agent
  if command -v udevadm >/dev/null; then
    { udevadm control --reload && udevadm trigger --subsystem-match=usb; } >/dev/null 2>&1 || true
  fi
}

# Keeps the settings that a person made, except the edge's address.
put_settings() {
  settings=$STATE_DIR/agent.json
  if [ ! -f "$settings" ]; then
    printf '{\n  "edgeUrl": "%s"\n}\n' "$edge" >"$settings"
  elif [ "$edge" != "$(known_edge)" ]; then
    sed -i 's|"edgeUrl" *: *"[^"]*"|"edgeUrl": "'"$edge"'"|' "$settings"
  fi
  chown shigur:shigur "$settings"
}

known_edge() {
  sed -n 's/.*"edgeUrl" *: *"\([^"]*\)".*/\1/p' "$STATE_DIR/agent.json" 2>/dev/null || true
}

# The token goes through a pipe: no list of processes shows it.
enrol() {
  if [ -f "$STATE_DIR/identity.json" ]; then
    [ -z "$token" ] || say "האתר כבר רשום; קוד ההצטרפות לא נוצל." "This site is enrolled already; the token was not used."
    return 0
  fi
  [ -n "$token" ] || fail "חסר --token" "--token is missing"
  printf '%s\n' "$token" | /usr/local/bin/shigur-agent enroll - ||
    fail "הרישום נכשל. ליצור קוד הצטרפות חדש במסך 'אתרים' ולהריץ שוב." "Enrolment failed. Make a new token on the sites screen and run this again."
}

start() {
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable -q shigur-agent
    systemctl restart shigur-agent
    say "תוכנת האתר מותקנת ופועלת. לחבר טלפונים, ואז: sudo shigur-agent doctor" "The agent is installed and runs. Plug phones in, then: sudo shigur-agent doctor"
  else
    say "תוכנת האתר מותקנת. אין כאן systemd: להפעיל ביד: shigur-agent run" "The agent is installed. There is no systemd here: run it by hand: shigur-agent run"
  fi
}

say() {
  printf '%s\n%s\n' "$1" "$2"
}

fail() {
  printf '%s\n%s\n' "$1" "$2" >&2
  exit 1
}

main "$@"
