/**
 * Clears drafts of ours that were left in the chats of one device. A person who finds one there may send what another
 * phone sends too.
 */
import type { AccountState } from "shared/agent_protocol.ts";
import type { DevicePool } from "../devices/device_pool.ts";
import type { Draft } from "../journal/draft_notes.ts";
import type { Journal } from "../journal/journal.ts";
import { JournalWriteError } from "../journal/journal_file.ts";
import { errorText, type Log } from "../log.ts";
import { parseAccount, type Phone } from "../phone/phone.ts";
import { removeDraft } from "../phone/remove_draft.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";
import type { ScreenWords } from "../screens/screen_words.ts";
import { AskAgain } from "../time/ask_again.ts";
import type { Clock } from "../time/clock.ts";

/** As the options of the device's worker. */
interface DraftClearerOptions {
  device: string;
  journal: Journal;
  pool: Pick<DevicePool, "reachable" | "stateOf">;
  clock: Clock;
  log: Log;
  wordsOf(account: string): ScreenWords;
  onAccountLost(account: string, state: AccountState): void;
  onUnknownScreen(
    account: string,
    screen: UnknownScreen,
    draft: Pick<Draft, "phone" | "text" | "isPicture">,
  ): void;
  /** A chat is about to be opened, or was. */
  onChat(): void;
}

/** A chat in which a draft of ours may be. */
interface LeftChat {
  account: string;
  number: string;
  tries: number;
  again: AskAgain;
}

/**
 * A chat gets this many tries before other work. After this many failures in a row, in any chats, other work comes
 * first.
 */
const TRIES_AT_ONCE = 3;
/** Later, a failed try is followed by this many times its own length without another one. */
const REST_FACTOR = 9;
/** A machine that slept in the middle of a try does not rest for days. */
const LONGEST_REST_MS = 10 * 60_000;
/** The pauses between the tries of one chat grow between these. */
const AGAIN_MS = { least: 2_000, most: 5 * 60_000 };

export class DraftClearer {
  #options: DraftClearerOptions;
  /** By account and number. */
  readonly #chats = new Map<string, LeftChat>();
  #failures = 0;
  /** Monotonic time before which only chats with tries at once are tried. */
  #restUntil = -Infinity;

  constructor(options: DraftClearerOptions) {
    this.#options = options;
  }

  /** Tries one chat if one is due. Returns null when nothing is to be cleared now, else how long to wait, in ms. */
  async clearNext(signal: AbortSignal): Promise<number | null> {
    const { clock, device, journal, pool } = this.#options;
    // A person has the phone in hand.
    if (journal.broken.aborted || journal.isStopped(device)) return null;
    const chats = this.#leftChats();
    if (chats.length === 0) return null;
    const phone = pool.reachable(device);
    if (phone === null) return null;
    for (const chat of chats) {
      const beganAt = clock.monotonic();
      const isAtOnce = chat.tries < TRIES_AT_ONCE && this.#failures < TRIES_AT_ONCE;
      if (!isAtOnce && beganAt < this.#restUntil) continue;
      if (chat.again.isDue(beganAt)) {
        chat.tries++;
        const isClear = await this.#clear(chat, phone, signal);
        this.#failures = isClear ? 0 : this.#failures + 1;
        if (isClear) return 0;
        const endedAt = clock.monotonic();
        chat.again.failed(endedAt);
        this.#restUntil = endedAt + Math.min(REST_FACTOR * (endedAt - beganAt), LONGEST_REST_MS);
        return 0;
      }
      if (isAtOnce) return AGAIN_MS.least;
    }
    return null;
  }

  /** Returns the chats that may be opened, those with the fewest tries first. */
  #leftChats(): LeftChat[] {
    const { device, journal, pool } = this.#options;
    const drafts = journal.drafts.of(device);
    if (drafts.length === 0) this.#chats.clear();
    return drafts
      // Behind a screen that nobody knows, nothing is touched.
      .filter(({ account }) => pool.stateOf(account) === "ok")
      .map(({ account, phone }) => this.#chatOf(account, phone))
      .toSorted((a, b) => a.tries - b.tries);
  }

  #chatOf(account: string, number: string): LeftChat {
    const key = `${account} ${number}`;
    const chat = this.#chats.get(key) ??
      { account, number, tries: 0, again: new AskAgain(AGAIN_MS.least, AGAIN_MS.most) };
    this.#chats.set(key, chat);
    return chat;
  }

  /** Returns false when nothing proves that the draft is gone. */
  async #clear({ account, number }: LeftChat, phone: Phone, signal: AbortSignal): Promise<boolean> {
    const { device, journal, log, onAccountLost, onChat, onUnknownScreen, wordsOf } = this.#options;
    const drafts = journal.drafts.of(device).filter((one) => one.account === account && one.phone === number);
    onChat();
    const app = parseAccount(account, wordsOf(account));
    const deleting = (text: string) => journal.drafts.deleting(account, number, text);
    const removal = await removeDraft(phone, app, number, drafts, { deleting, signal }).catch((error) => {
      if (error instanceof JournalWriteError) throw error;
      return { kind: "left", why: errorText(error) } as const;
    });
    if (signal.aborted) return false;
    onChat();
    if (removal.kind === "gone") {
      journal.drafts.gone(account, number);
      log("info", "draft_gone", { account });
      return true;
    }
    if (removal.kind === "left") {
      log("warn", "draft_left", { account, ...("why" in removal ? { why: removal.why } : {}) });
    } else if (removal.kind === "lost") onAccountLost(account, removal.state);
    else {
      const { text, isPicture } = drafts.at(-1)!;
      onUnknownScreen(account, removal.screen, { phone: number, text, isPicture });
    }
    return false;
  }
}
