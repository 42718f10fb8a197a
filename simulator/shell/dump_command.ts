import { LATENCY_MS } from "../phone/clock.ts";
import { windowsOf } from "../phone/screens.ts";
import { dumpXml, type UiWindow, withMovedIds } from "../phone/ui_node.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";
import type { ShCall } from "../phone/sh_call.ts";

/** 128 plus the number of SIGKILL. */
const KILLED = 137;
const DEFAULT_PATH = "/sdcard/window_dump.xml";

/** Runs `uiautomator dump [file]`. A failed dump reports it, but exits 0 and leaves the file unchanged. */
export async function uiautomator(phone: VirtualPhone, call: ShCall): Promise<number> {
  const [verb, ...args] = call.args;
  if (verb !== "dump") {
    call.err(`Error: unsupported command: ${verb ?? ""}\n`);
    return 1;
  }
  const path = args.find((arg) => !arg.startsWith("--")) ?? DEFAULT_PATH;
  await phone.latency(LATENCY_MS.dump);
  const { liar, clock } = phone.context;
  if (liar.lies("dumpHangs") && await phone.hang(call.limitMs) === "killed") return KILLED;
  if (phone.dumpsToFail > 0 || liar.lies("dumpFails")) {
    phone.dumpsToFail = Math.max(0, phone.dumpsToFail - 1);
    call.err("ERROR: could not get idle state.\n");
    return 0;
  }
  // The spelling is uiautomator's own.
  const done = `UI hierchary dumped to: ${path}\n`;
  if (liar.lies("dumpStale")) {
    call.out(done);
    return 0;
  }
  const played = phone.player && phone.isAwake && !phone.isLocked ? phone.player.read() : undefined;
  if (played === null) {
    call.err("ERROR: could not get idle state.\n");
    return 0;
  }
  const windows = played ? windowsOf(phone) : dumpedWindows(phone);
  const xml = dumpXml(phone.hasMovedIds ? windows.map(withMovedIds) : windows);
  phone.files.write(path, new TextEncoder().encode(xml), 0o660, Math.floor(clock.now() / 1_000));
  call.out(done);
  return 0;
}

/**
 * Returns mostly the active window alone. Some dialogs leave the chat beneath in the tree, in an order that is a guess.
 */
function dumpedWindows(phone: VirtualPhone): UiWindow[] {
  const windows = windowsOf(phone);
  const top = windows.at(-1);
  const { liar } = phone.context;
  const showsBeneath = phone.dialog?.kind === "smsDefault" && phone.dialog.showsChatBeneath;
  const isShuffled = windows.length > 1 && liar.lies("windowsShuffled");
  if (!top || (!showsBeneath && !isShuffled)) return top ? [top] : [];
  return isShuffled ? windows : windows.toReversed();
}
