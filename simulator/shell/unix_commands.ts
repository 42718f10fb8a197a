import { createHash } from "node:crypto";
import { posix } from "node:path";
import { DIRECTORY } from "../phone/file_system.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";
import type { ShCall, ShCommand } from "../phone/sh_call.ts";

type PhoneCommand = (phone: VirtualPhone, call: ShCall) => number | Promise<number>;

/** The commands of toybox on a phone, as far as an agent or adb uses them. */
const UNIX_COMMANDS: Record<string, PhoneCommand> = {
  true: () => 0,
  false: () => 1,
  ":": () => 0,
  "[": (_phone, call) => bracketTest(call),
  test: (_phone, call) => evaluateTest(call, call.args),
  echo: (_phone, { args, out }) => {
    const noNewline = args[0] === "-n";
    out(`${args.slice(noNewline ? 1 : 0).join(" ")}${noNewline ? "" : "\n"}`);
    return 0;
  },
  read: (_phone, call) => readVariables(call),
  cat: (phone, call) => eachFile(phone, call, (bytes) => call.out(bytes)),
  head: (phone, call) => headLines(phone, call),
  wc: (_phone, { stdin, out }) => {
    out(`${textOf(stdin).split("\n").length - 1}\n`);
    return 0;
  },
  grep: (_phone, call) => grep(call),
  cut: (_phone, call) => cut(call),
  sha256sum: (phone, call) => checksum(phone, call, "sha256"),
  md5sum: (phone, call) => checksum(phone, call, "md5"),
  ls: (phone, call) => list(phone, call),
  rm: (phone, call) => remove(phone, call),
  mkdir: (phone, { args }) => {
    for (const path of args.filter((arg) => !arg.startsWith("-"))) phone.files.makeDirectory(path);
    return 0;
  },
  stat: (phone, call) => stat(phone, call),
  df: ({ freeKb }, { args, out }) => {
    out("Filesystem      1K-blocks     Used Available Use% Mounted on\n");
    out(`/dev/block/dm-45 113246208 ${113246208 - freeKb}  ${freeKb}  41% ${args.at(-1) ?? "/data"}\n`);
    return 0;
  },
  pgrep,
  sleep: async (phone, { args }) => {
    await phone.wait(Number(args[0] ?? 0) * 1_000);
    return 0;
  },
  date: (phone, { args, out }) => {
    const now = phone.context.clock.now() + phone.desk.clockAheadS * 1_000;
    const seconds = Math.floor(now / 1_000);
    const parts: Record<string, number> = { s: seconds, M: Math.floor(seconds / 60) % 60, S: seconds % 60 };
    const [format] = args;
    if (format === undefined) out(`${new Date(now).toUTCString()}\n`);
    else if (format === "+%z") out(`${zoneAt(now)}\n`);
    else out(`${format.slice(1).replace(/%([sMS])/g, (_, part: string) => `${parts[part]}`)}\n`);
    return 0;
  },
  id: (_phone, { out }) => {
    out("uid=2000(shell) gid=2000(shell) groups=2000(shell) context=u:r:shell:s0\n");
    return 0;
  },
  whoami: (_phone, { out }) => {
    out("shell\n");
    return 0;
  },
};

/** Returns "+0200": the phone's own time zone at that time. */
function zoneAt(at: number): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone: "Asia/Jerusalem", timeZoneName: "longOffset" })
    .formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")!.value.replace(/^GMT|:/g, "");
}

/** Reads a phone's file, or one of the kernel files that an agent reads. Returns null when there is none. */
export function readPhoneFile(phone: VirtualPhone, path: string): Uint8Array | null {
  if (path === "/proc/sys/kernel/random/boot_id") return encode(`${phone.bootId}\n`);
  if (path === "/proc/sys/kernel/random/uuid") return encode(`${crypto.randomUUID()}\n`);
  if (path === "/proc/uptime") {
    const seconds = (phone.uptimeMs / 1_000).toFixed(2);
    return encode(`${seconds} ${seconds}\n`);
  }
  if (path === "/proc/meminfo") {
    return encode(`MemTotal:        3809412 kB\nMemAvailable:    ${phone.desk.freeMemoryMb * 1024} kB\n`);
  }
  return phone.files.read(path)?.bytes ?? null;
}

/** Binds a phone to the commands that need one. */
export function unixCommand(phone: VirtualPhone, name: string): ShCommand | undefined {
  const command = Object.hasOwn(UNIX_COMMANDS, name) ? UNIX_COMMANDS[name] : undefined;
  return command && ((call) => command(phone, call));
}

function bracketTest(call: ShCall): number {
  if (call.args.at(-1) !== "]") {
    call.err("/system/bin/sh: [: missing ]\n");
    return 2;
  }
  return evaluateTest(call, call.args.slice(0, -1));
}

function evaluateTest(call: ShCall, args: string[]): number {
  if (args[0] === "!") return evaluateTest(call, args.slice(1)) === 0 ? 1 : 0;
  const [left = "", operator, right = ""] = args;
  if (args.length <= 1) return left === "" ? 1 : 0;
  if (left === "-n") return operator === "" ? 1 : 0;
  if (left === "-z") return operator === "" ? 0 : 1;
  if (operator === "=" || operator === "==") return left === right ? 0 : 1;
  if (operator === "!=") return left === right ? 1 : 0;
  const compare = INTEGER_TESTS[operator ?? ""];
  if (!compare || !/^\s*[-+]?\d+\s*$/.test(left) || !/^\s*[-+]?\d+\s*$/.test(right)) {
    call.err(`/system/bin/sh: [: ${args.join(" ")}: bad number or operator\n`);
    return 2;
  }
  return compare(Number(left), Number(right)) ? 0 : 1;
}

const INTEGER_TESTS: Record<string, (left: number, right: number) => boolean> = {
  "-eq": (left, right) => left === right,
  "-ne": (left, right) => left !== right,
  "-lt": (left, right) => left < right,
  "-le": (left, right) => left <= right,
  "-gt": (left, right) => left > right,
  "-ge": (left, right) => left >= right,
};

/** Runs `read a b`: splits one line at blanks, the last variable gets the rest. Returns 1 when there was no line. */
function readVariables({ args, stdin, variables }: ShCall): number {
  const names = args.filter((arg) => arg !== "-r");
  let line = textOf(stdin).split("\n")[0]!.trim();
  for (const [index, name] of names.entries()) {
    const cutAt = index === names.length - 1 ? -1 : line.search(/\s/);
    variables.set(name, cutAt < 0 ? line : line.slice(0, cutAt));
    line = cutAt < 0 ? "" : line.slice(cutAt).trim();
  }
  return stdin.length === 0 ? 1 : 0;
}

function eachFile(phone: VirtualPhone, call: ShCall, use: (bytes: Uint8Array, path: string) => void): number {
  const paths = call.args.filter((arg) => !arg.startsWith("-"));
  if (paths.length === 0) use(call.stdin, "-");
  let status = 0;
  for (const path of paths) {
    const bytes = readPhoneFile(phone, path);
    if (bytes) use(bytes, path);
    else {
      call.err(
        `${path}: ${phone.files.isDirectory(path) ? "Is a directory" : "No such file or directory"}\n`,
      );
      status = 1;
    }
  }
  return status;
}

function headLines(phone: VirtualPhone, call: ShCall): number {
  const count = /^-n?\s*(\d+)$/.exec(call.args[0] === "-n" ? `-n${call.args[1]}` : call.args[0] ?? "")?.[1] ??
    "10";
  const paths = call.args.slice(call.args[0] === "-n" ? 2 : call.args[0]?.startsWith("-") ? 1 : 0);
  return eachFile(phone, { ...call, args: paths }, (bytes) => {
    call.out(`${textOf(bytes).split("\n").slice(0, Number(count)).join("\n")}\n`);
  });
}

function grep({ args, stdin, out }: ShCall): number {
  const flags = args.filter((arg) => /^-\w+$/.test(arg)).join("");
  const pattern = args.find((arg) => !/^-\w+$/.test(arg)) ?? "";
  // Without -E these characters are literal, and with a backslash they have their meaning under -E.
  const basic = pattern.replace(/\\?[+?|(){}]/g, (found) => found.length === 2 ? found[1]! : `\\${found}`);
  const fixed = pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const source = flags.includes("F") ? fixed : flags.includes("E") ? pattern : basic;
  const matches = new RegExp(source, flags.includes("i") ? "i" : "");
  const lines = textOf(stdin).split("\n").filter((line, index, all) => index < all.length - 1 || line !== "");
  const found = lines.filter((line) => matches.test(line) !== flags.includes("v"));
  if (!flags.includes("q")) { for (const line of found) out(`${line}\n`); }
  return found.length > 0 ? 0 : 1;
}

/** Runs `pgrep -f PATTERN`: prints ids of the processes with a matching command line. Returns 1 when there are none. */
function pgrep(phone: VirtualPhone, { args, out, err }: ShCall): number {
  const [flag, pattern = ""] = args;
  if (flag !== "-f") {
    err(`pgrep: Unknown option ${flag ?? ""}\n`);
    return 2;
  }
  const matches = new RegExp(pattern);
  const found = [...phone.processes].filter(([, commandLine]) => matches.test(commandLine));
  for (const [pid] of found) out(`${pid}\n`);
  return found.length > 0 ? 0 : 1;
}

/** Runs `cut -d X -f N`: prints one field of each line. */
function cut({ args, stdin, out }: ShCall): number {
  const option = (name: string) => {
    const at = args.findIndex((arg) => arg.startsWith(name));
    return at < 0 ? undefined : args[at] === name ? args[at + 1] : args[at]!.slice(name.length);
  };
  const delimiter = option("-d") ?? "\t";
  const field = Number(option("-f") ?? 1);
  for (const line of textOf(stdin).replace(/\n$/, "").split("\n")) {
    const parts = line.split(delimiter);
    out(`${parts.length === 1 ? line : parts[field - 1] ?? ""}\n`);
  }
  return 0;
}

function checksum(phone: VirtualPhone, call: ShCall, algorithm: "sha256" | "md5"): number {
  const isBrief = call.args.includes("-b");
  return eachFile(phone, call, (bytes, path) => {
    const digest = createHash(algorithm).update(bytes).digest("hex");
    call.out(isBrief ? `${digest}\n` : `${digest}  ${path}\n`);
  });
}

function list(phone: VirtualPhone, { args, out, err }: ShCall): number {
  let status = 0;
  const paths = args.filter((arg) => !arg.startsWith("-"));
  for (const path of paths.length > 0 ? paths : ["/"]) {
    if (phone.files.isDirectory(path)) { for (const name of phone.files.list(path)) out(`${name}\n`); }
    else if (phone.files.read(path)) out(`${path}\n`);
    else {
      err(`ls: ${path}: No such file or directory\n`);
      status = 1;
    }
  }
  return status;
}

function remove(phone: VirtualPhone, { args, err }: ShCall): number {
  const isForced = args.some((arg) => /^-\w*f/.test(arg));
  const isRecursive = args.some((arg) => /^-\w*r/i.test(arg));
  let status = 0;
  for (const path of args.filter((arg) => !arg.startsWith("-"))) {
    if (phone.files.isDirectory(path) && !isRecursive) {
      err(`rm: ${path}: is a directory\n`);
      status = 1;
    } else if (!phone.files.remove(path) && !isForced) {
      err(`rm: ${path}: No such file or directory\n`);
      status = 1;
    }
  }
  return status;
}

/** Runs `stat -c FORMAT path`, with %s size, %Y mtime in seconds, %a permissions, %n name. */
function stat(phone: VirtualPhone, { args, out, err }: ShCall): number {
  const at = args.indexOf("-c");
  const format = at < 0 ? "%n %s %Y" : args[at + 1] ?? "";
  let status = 0;
  for (const path of args.filter((_, index) => at < 0 || (index !== at && index !== at + 1))) {
    const file = phone.files.read(path) ??
      (phone.files.isDirectory(path)
        ? { bytes: new Uint8Array(0), mode: DIRECTORY | 0o771, mtime: 0 }
        : null);
    if (!file) {
      err(`stat: '${path}': No such file or directory\n`);
      status = 1;
      continue;
    }
    const values: Record<string, string> = {
      s: String(file.bytes.length),
      Y: String(file.mtime),
      a: (file.mode & 0o777).toString(8),
      n: posix.normalize(path),
    };
    out(`${format.replace(/%([sYan])/g, (_, key: string) => values[key]!)}\n`);
  }
  return status;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
