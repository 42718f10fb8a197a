import { LATENCY_MS } from "../phone/clock.ts";
import { type Intent, parseChatLink, parseIntent } from "./intent.ts";
import type { MessagingApp } from "../phone/messaging_app.ts";
import { numberOf } from "../phone/phone_number.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";
import type { ShCall } from "../phone/sh_call.ts";
import { asSettings, standbyBucket } from "./settings_commands.ts";

/** Runs `am start`, `am force-stop`, `am get-current-user` and `am get-standby-bucket`. */
export async function am(phone: VirtualPhone, call: ShCall): Promise<number> {
  const [verb, ...args] = call.args;
  if (verb === "start" || verb === "start-activity") {
    const commandLine = `cmd activity ${call.args.join(" ")}`;
    return await phone.process(commandLine, () => start(phone, { ...call, args }));
  }
  if (verb === "force-stop") {
    await phone.latency(LATENCY_MS.tap);
    phone.forceStop(args.at(-1) ?? "");
    return 0;
  }
  if (verb === "get-current-user") {
    call.out(`${phone.currentUser}\n`);
    return 0;
  }
  if (verb === "get-standby-bucket") return await asSettings(phone, call, standbyBucket);
  call.err(`Error: unknown command '${verb ?? ""}'\n`);
  return 255;
}

async function start(phone: VirtualPhone, call: ShCall): Promise<number> {
  let intent: Intent;
  try {
    intent = parseIntent(call.args);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    call.err(`Error: ${error.message}\n`);
    return 1;
  }
  const isLauncher = intent.category === "android.intent.category.HOME";
  await phone.latency(isLauncher ? LATENCY_MS.tap : LATENCY_MS.start);
  call.out(`Starting: Intent { ${describe(intent)} }\n`);
  if (isLauncher) {
    if (!phone.context.liar.lies("homeIgnored")) phone.home();
    return 0;
  }
  const action = actionOf(phone, intent);
  if (!action) {
    call.err(`Error: Activity not started, unable to resolve Intent { ${describe(intent)} }\n`);
    return 1;
  }
  const { player } = phone;
  if (player && !isPage(intent)) {
    player.open(intent.action === "android.intent.action.SEND" ? "open_picture" : "open_chat");
    return 0;
  }
  if (phone.context.liar.lies("startHangs")) await phone.hang();
  phone.touch();
  phone.start(action);
  return 0;
}

/** Returns the intent's effect on the phone; null when no installed app takes it. */
function actionOf(phone: VirtualPhone, intent: Intent): (() => void) | null {
  if (isPage(intent)) return phone.traits.showsPages ? () => void (phone.page = intent.data) : null;
  const app = intent.app ?? intent.component?.split("/")[0] ?? null;
  const takers = phone.accounts.filter(({ traits }) =>
    traits.user === intent.user && (app === null || traits.app === app)
  );
  const [taker] = takers;
  if (!taker) return null;
  const account = phone.activeInsteadOf(taker);
  const link = intent.data === null ? null : parseChatLink(intent.data);
  if (intent.action === "android.intent.action.VIEW" && !link) return null;
  if (takers.length > 1) return () => void (phone.dialog = { kind: "chooser", accounts: takers });
  if (link) return () => openLink(phone, account, link);
  if (intent.action === "android.intent.action.SEND") return () => share(phone, account, intent);
  return () => phone.show({ kind: "chats", account });
}

function isPage({ action, data, type }: Intent): boolean {
  return action === "android.intent.action.VIEW" && type === "text/html" && data !== null;
}

function openLink(phone: VirtualPhone, account: MessagingApp, link: { number: string; text: string }): void {
  const number = numberOf(link.number);
  if (number) phone.openChat(account, number, link.text);
  else phone.dialog = { kind: "notOnApp", account, number: link.number };
}

function share(phone: VirtualPhone, account: MessagingApp, { extras }: Intent): void {
  const number = numberOf(extras.get("jid") ?? "");
  const path = extras.get("android.intent.extra.STREAM")?.replace(/^file:\/\//, "");
  // Without a recipient the app asks for one. To an agent, this is any other screen.
  if (!number || path === undefined) return phone.show({ kind: "chats", account });
  phone.openPicture(account, number, path, extras.get("android.intent.extra.TEXT") ?? "");
}

function describe({ action, data, app }: Intent): string {
  const parts = [action && `act=${action}`, data && `dat=${data.slice(0, 40)}...`, app && `pkg=${app}`];
  return parts.filter((part) => part !== null).join(" ");
}
