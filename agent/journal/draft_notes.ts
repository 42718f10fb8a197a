/** The journal's notes of words that were typed into chats, until each chat was read without them. */
import { deviceOf, type JournalTables } from "./journal_tables.ts";

/** Our words in a chat, noted before they are typed there. A picture's caption is typed beside the picture. */
export interface Draft {
  account: string;
  phone: string;
  text: string;
  isPicture: boolean;
  /** Its deletion has begun: a part of it is ours too. */
  isDeleting: boolean;
  /** When it was typed, in milliseconds since 1970. */
  at: number;
}

export class DraftNotes {
  #tables: JournalTables;
  /** In memory, because each step of each worker reads it. */
  #drafts: Draft[] = [];

  constructor(tables: JournalTables) {
    this.#tables = tables;
    this.reread();
  }

  /** Returns the drafts that may be in the chats of a device, the oldest first. */
  of(device: string): Draft[] {
    return this.#drafts.filter(({ account }) => deviceOf(account) === device);
  }

  /** Notes a draft before it is typed, so that it is cleared whatever happens next. */
  begins({ account, phone, text, isPicture }: Omit<Draft, "at" | "isDeleting">): void {
    this.#change(
      `INSERT INTO drafts (account, phone, text, is_picture, at) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (account, phone, text, is_picture) DO UPDATE SET at = ?5`,
      account,
      phone,
      text,
      isPicture ? 1 : 0,
      this.#tables.now(),
    );
  }

  /** Notes that the deletion of a chat's text begins: after an interruption, the part that remains is ours. */
  deleting(account: string, phone: string, text: string): void {
    this.#change(
      "UPDATE drafts SET deleting = 1 WHERE account = ? AND phone = ? AND text = ? AND deleting = 0",
      account,
      phone,
      text,
    );
  }

  /** Forgets every draft in a chat: it was read, and has none of ours. */
  gone(account: string, phone: string): void {
    if (!this.#drafts.some((draft) => draft.account === account && draft.phone === phone)) return;
    this.#change("DELETE FROM drafts WHERE account = ? AND phone = ?", account, phone);
  }

  /**
   * Forgets the drafts of a delivery whose chat proved it. A picture's proof says nothing of what was typed in the chat
   * before.
   */
  sent(token: string, phone: string): void {
    this.#change(
      `DELETE FROM drafts WHERE rowid IN (
         SELECT r.rowid FROM drafts r JOIN deliveries d ON d.account = r.account AND d.phone = r.phone
           JOIN messages m ON m.token = d.token
         WHERE d.token = ?1 AND d.phone = ?2
           AND (m.image IS NULL OR (r.is_picture = 1 AND r.text = coalesce(d.text, m.text))))`,
      token,
      phone,
    );
  }

  /** Reads the table again, after it was changed from outside. */
  reread(): void {
    const sql = "SELECT account, phone, text, is_picture, deleting, at FROM drafts ORDER BY at, rowid";
    this.#drafts = this.#tables.all(sql).map((found) => ({
      account: String(found.account),
      phone: String(found.phone),
      text: String(found.text),
      isPicture: found.is_picture === 1,
      isDeleting: found.deleting === 1,
      at: Number(found.at),
    }));
  }

  #change(...[sql, ...values]: Parameters<JournalTables["run"]>): void {
    let changed = 0;
    this.#tables.write(() => void (changed = this.#tables.run(sql, ...values)));
    if (changed > 0) this.reread();
  }
}
