/** A model phone: a shell with the few commands that the flows use, chats, drafts, and a tap log. */
import { AdbDeviceOfflineError, AdbDisconnectedError, AdbTimeoutError } from "../../agent/adb/adb_error.ts";
import { GO_HOME } from "../../agent/phone/go_home.ts";
import { PhoneCommandError } from "../../agent/phone/phone.ts";

/**
 * Results of a command:
 * answer = done, and the site gets the answer; lostAnswer = done, but the answer is lost; never = not done;
 * late = the site gives up, and the command begins with the next one;
 * linger = the site gives up, and the command begins at some later step;
 * hang = the site gives up while the command hangs after all its checks.
 */
export type CommandFate = "answer" | "lostAnswer" | "never" | "late" | "linger" | "hang";
/** An obstacle on the way to the chat, if any. */
export type Obstacle = "none" | "not_on_app" | "banned" | "blank";

/** One accepted tap on send; the witness. */
export interface Tap {
  device: string;
  /** Digits. */
  number: string;
  text: string;
  /** The attempt of the tap command. */
  token: string;
  /** Server times of the request, of its last possible refusal, and of the tap. */
  askedAt: number;
  begunAt: number;
  at: number;
}

type BegunTap = Pick<Tap, "token" | "askedAt" | "begunAt">;

interface Command {
  text: string;
  /** Token of the attempt being tapped at that time, or "". */
  token: string;
  askedAt: number;
}

interface Asked extends Command {
  answer(output: string): void;
  fail(error: unknown): void;
}

interface Answer {
  output: string;
  exitCode: number;
}

interface Chat {
  /** `goneAt`: time when a tap's effect becomes visible. */
  draft: { text: string; goneAt: number } | null;
  rows: { text: string; at: number; shownAt: number }[];
  /** The app said that there is no such chat. */
  isDenied?: boolean;
}

const APP = "com.whatsapp";
const SEND = { x: 950, y: 2250 };
const ROWS_IN_SIGHT = 6;
const OBSTACLE_TEXT = {
  not_on_app: "The phone number isn't on WhatsApp",
  banned: "This account is not allowed to use WhatsApp",
};

export class ModelPhone {
  bootId = idOf(0);
  isPlugged = true;
  obstacle: Obstacle = "none";
  /** Milliseconds from a tap to its visible effect: below 2 s, so that the second look is reliable. */
  showsAfterMs = 0;
  asked: Asked | null = null;
  /** Commands that the site gave up: not yet begun, or hanging. */
  #lingering: Command[] = [];
  #late: Command | null = null;
  #hanging: (() => Answer)[] = [];
  readonly #chats = new Map<string, Chat>();
  #shown: { user: string; number: string } | null = null;
  #turn = "";
  #ids = 0;
  #bootedAt: number;

  constructor(
    readonly device: string,
    readonly now: () => number,
    readonly onTap: (tap: Tap) => void,
  ) {
    this.#bootedAt = now() - 86_400_000;
  }

  get isAskedToTap(): boolean {
    return this.asked !== null && isTap(this.asked.text);
  }

  /** The number of chats with words that nobody has sent. Of those that the app denied, nobody can know. */
  drafts(): number {
    return [...this.#chats.values()].filter(({ draft, isDenied }) => draft?.goneAt === Infinity && !isDenied)
      .length;
  }

  /** Accepts a command; it waits until a step runs it. */
  run(text: string, token: string): Promise<string> {
    return new Promise((answer, fail) => this.asked = { text, token, askedAt: this.now(), answer, fail });
  }

  serve(fate: CommandFate): boolean {
    const { asked } = this;
    if (asked === null) return false;
    this.asked = null;
    const late = this.#late;
    this.#late = null;
    if (late !== null) this.#begin(late)();
    if (!this.isPlugged || fate === "never") asked.fail(new AdbDeviceOfflineError("Cannot reach the phone"));
    else if (fate === "late" || fate === "linger" || fate === "hang") {
      if (fate === "hang") this.#hanging.push(this.#begin(asked));
      else if (fate === "linger") this.#lingering.push(asked);
      else this.#late = asked;
      asked.fail(new AdbTimeoutError("The phone did not answer in time"));
    } else this.#answer(asked, fate);
    return true;
  }

  /** The requesting process is gone; its commands may still run. */
  abandon(): void {
    if (this.asked !== null) this.#lingering.push(this.asked);
    this.asked = null;
  }

  /** Runs a given-up command now, as far as the phone still allows it. */
  runLingering(): boolean {
    const acts = [...this.#hanging, ...this.#lingering.map((command) => () => this.#begin(command)())];
    this.#hanging = [];
    this.#lingering = [];
    for (const act of acts) act();
    return acts.length > 0;
  }

  /** Ends all running commands; commands on their way, drafts and chats stay. */
  reboot(): void {
    this.bootId = idOf(++this.#ids);
    this.#bootedAt = this.now();
    this.#shown = null;
    this.#hanging = [];
    // A boot takes longer than the effect of a tap.
    for (const { draft, rows } of this.#chats.values()) {
      if (draft !== null && draft.goneAt < Infinity) draft.goneAt = 0;
      for (const row of rows) row.shownAt = 0;
    }
    this.serve("never");
  }

  #answer(asked: Asked, fate: "answer" | "lostAnswer"): void {
    const { output, exitCode } = this.#begin(asked)();
    if (fate === "lostAnswer") asked.fail(new AdbDisconnectedError("The answer was lost"));
    else if (exitCode !== 0) asked.fail(new PhoneCommandError(asked.text, exitCode, output));
    else asked.answer(output);
  }

  /** Runs all checks of a command now; returns a function that performs its effect later. */
  #begin({ text, token, askedAt }: Command): () => Answer {
    const [, turn] = /shigur-turn\)" = "([^"]*)"/.exec(text) ?? [];
    if (turn !== undefined && turn !== this.#turn) return () => ({ output: "", exitCode: 75 });
    const begun = { token, askedAt, begunAt: this.now() };
    const act = isTap(text) ? this.#beginTap(text, begun) : () => this.#do(text);
    return () => ({ output: act(), exitCode: 0 });
  }

  #beginTap(text: string, begun: BegunTap): () => string {
    const [, limit] = /"\$up" -lt (\d+)/.exec(text) ?? [];
    const [, bootId] = /boot_id\)" = "([^"]*)"/.exec(text) ?? [];
    const [, x, y] = /input tap (\d+) (\d+)/.exec(text) ?? [];
    const isInTime = limit === undefined || Math.floor(this.#uptimeMs() / 1000) < Number(limit);
    if (!isInTime || (bootId ?? this.bootId) !== this.bootId) return () => "late\n";
    return () => {
      if (Number(x) === SEND.x && Number(y) === SEND.y) this.#tap(begun);
      return "tapped\n";
    };
  }

  #do(text: string): string {
    const [, user, number, draft] = /am start --user (\d+) .*wa\.me\/(\d+)(?:\?text=([^']*))?'/.exec(text) ??
      [];
    if (number !== undefined) {
      this.#open(user!, number, draft === undefined ? null : decodeURIComponent(draft));
    } else if (text.includes("random/uuid >")) return this.#turn = idOf(++this.#ids);
    else if (text.startsWith("pgrep")) return `exit ${this.#hanging.length > 0 ? 0 : 1}\n`;
    else if (text.startsWith("date")) return new Date(this.now()).toISOString().slice(14, 19);
    else if (/input keyevent (67|112)\b/.test(text)) this.#chat().draft = null;
    else if (text.includes(GO_HOME)) this.#shown = null;
    else if (text.includes("uiautomator dump")) return this.#dump() + this.#focus() + this.#clock();
    else if (text.includes("/proc/uptime")) return this.#clock();
    else if (!/input keyevent 4|am force-stop/.test(text)) throw new Error(`The model phone has no ${text}`);
    return "";
  }

  #open(user: string, number: string, draft: string | null): void {
    this.#shown = { user, number };
    if (draft !== null) this.#chat().draft = { text: draft, goneAt: Infinity };
  }

  #tap(begun: BegunTap): void {
    const { draft, rows } = this.#chat();
    const at = this.now();
    if (this.#shown === null || draft === null || draft.goneAt <= at) return;
    // After a command that hung, both looks follow immediately, so less than the second between them is left.
    const showsAfterMs = at === begun.begunAt ? this.showsAfterMs : Math.min(this.showsAfterMs, 900);
    draft.goneAt = Math.min(draft.goneAt, at + showsAfterMs);
    rows.push({ text: draft.text, at, shownAt: draft.goneAt });
    const { number } = this.#shown;
    this.onTap({ device: this.device, number, text: draft.text, at, ...begun });
  }

  #chat(): Chat {
    const key = this.#shown === null ? "" : `${this.#shown.user}/${this.#shown.number}`;
    const chat = this.#chats.get(key) ?? { draft: null, rows: [] };
    this.#chats.set(key, chat);
    return chat;
  }

  #dump(): string {
    // An app that has drawn nothing yet: a screen with ids of its own would be an unknown one.
    if (this.obstacle === "blank" || this.#shown === null) return hierarchy(`<node package="${APP}"/>`);
    if (this.obstacle === "not_on_app") this.#chat().isDenied = true;
    if (this.obstacle !== "none") {
      const message = `<node package="${APP}" resource-id="android:id/message" text="${
        OBSTACLE_TEXT[this.obstacle]
      }" bounds="[0,0][10,10]"/>`;
      return hierarchy(message);
    }
    const { draft, rows } = this.#chat();
    const now = this.now();
    const text = draft !== null && draft.goneAt > now ? draft.text : "";
    const shown = rows.filter((row) => row.shownAt <= now).slice(-ROWS_IN_SIGHT).map((row) =>
      node(
        "conversation_text_row",
        "",
        node("message_text", row.text) + node("date", new Date(row.at).toISOString().slice(11, 16)) +
          node("status", ""),
      )
    );
    return hierarchy(
      node("conversation_contact_name", this.#shown.number, "", "[150,80][900,160]") + shown.join("") +
        node("entry", text, "", "[100,2200][880,2300]") + (text === "" ? "" : SEND_NODE),
    );
  }

  #focus(): string {
    const { user } = this.#shown ?? { user: 0 };
    return `mCurrentFocus=Window{5 u${user} ${APP}/${APP}.Conversation}\n`;
  }

  #clock(): string {
    return `${(this.#uptimeMs() / 1000).toFixed(2)} 0.00\n${this.bootId}\n`;
  }

  #uptimeMs(): number {
    return this.now() - this.#bootedAt;
  }
}

function isTap(command: string): boolean {
  return command.includes("&& echo tapped");
}

function idOf(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
}

function node(id: string, text: string, children = "", bounds = "[0,0][10,10]"): string {
  return `<node package="${APP}" resource-id="${APP}:id/${id}" text="${text}" bounds="${bounds}">${children}</node>`;
}

const SEND_NODE =
  `<node package="${APP}" resource-id="${APP}:id/send" text="" content-desc="Send" bounds="[900,2200][1000,2300]"/>`;

function hierarchy(nodes: string): string {
  return `<?xml version='1.0'?><hierarchy rotation="0">${nodes}</hierarchy>\n`;
}
