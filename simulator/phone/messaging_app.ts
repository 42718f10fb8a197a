import type { SimulatorClock } from "./clock.ts";
import { fixedFraction } from "./random.ts";
import type { Tap } from "./tap_log.ts";
import type { AccountTraits } from "./traits.ts";

export type AccountState = "ok" | "banned" | "restricted" | "loggedOut";

/** One message in a chat. Times are in ms since 1970. */
export interface ChatRow {
  text: string;
  /** SHA-256 of the picture in hex, or null. */
  image: string | null;
  isIncoming: boolean;
  /** The message that it answers, shown above it. Null = none. */
  quoted: string | null;
  at: number;
  /** A row can appear later than the tap that made it. */
  visibleAt: number;
}

export type Tick = "pending" | "sent" | "delivered";

/** The chats and drafts of one messaging account on one phone. Only sending or replacing removes a draft. */
export class MessagingApp {
  state: AccountState = "ok";
  readonly drafts = new Map<string, string>();
  readonly #chats = new Map<string, ChatRow[]>();
  readonly #unread = new Map<string, ChatRow[]>();
  readonly #clock: SimulatorClock;

  constructor(readonly traits: AccountTraits, clock: SimulatorClock) {
    this.#clock = clock;
  }

  /** "com.whatsapp/0": app and Android user. */
  get key(): string {
    return `${this.traits.app}/${this.traits.user}`;
  }

  /** Puts a logged tap into its chat. The row appears `lateMs` after the tap. */
  addTap(tap: Tap, lateMs = 0): void {
    const at = Date.parse(tap.at);
    this.#add(tap.phone.slice(1), {
      text: tap.text,
      image: tap.image,
      isIncoming: false,
      quoted: null,
      at,
      visibleAt: at + lateMs,
    });
  }

  /** Adds an incoming message. `isRead` = its chat is in front, so there is no notification. */
  receive(
    number: string,
    text: string,
    { isRead = false, quoted = null }: { isRead?: boolean; quoted?: string | null } = {},
  ): void {
    const at = this.#clock.now();
    const row = { text, image: null, isIncoming: true, quoted, at, visibleAt: at };
    this.#add(number, row);
    if (!isRead) this.#unread.set(number, [...this.#unread.get(number) ?? [], row]);
  }

  /** Messages by number since its chat was last opened. Each chat is one notification. */
  get unread(): ReadonlyMap<string, readonly ChatRow[]> {
    return this.#unread;
  }

  /** Opens the chat's messages: its notification goes. */
  markRead(number: string): void {
    this.#unread.delete(number);
  }

  /** Returns the newest rows in sight, oldest first. */
  visibleRows(number: string, count: number): ChatRow[] {
    const now = this.#clock.now();
    return (this.#chats.get(number) ?? []).filter((row) => row.visibleAt <= now).slice(-count);
  }

  /** Numbers with a chat, the most recently used last. */
  get chats(): string[] {
    return [...this.#chats.keys()];
  }

  /** Returns pending for the first 1–3 s of a real phone, then sent, and delivered 1–5 s later. */
  tickOf(row: ChatRow): Tick {
    const sentMs = this.#clock.scaled(1_000 + 2_000 * fixedFraction(`sent/${row.at}`));
    const deliveredMs = sentMs + this.#clock.scaled(1_000 + 4_000 * fixedFraction(`delivered/${row.at}`));
    const ageMs = this.#clock.now() - row.at;
    return ageMs < sentMs ? "pending" : ageMs < deliveredMs ? "sent" : "delivered";
  }

  #add(number: string, row: ChatRow): void {
    const rows = this.#chats.get(number) ?? [];
    rows.push(row);
    this.#chats.delete(number);
    this.#chats.set(number, rows);
  }
}
