/** Why accounts, phones and campaigns stand still: closed sets of words that the edge finds and the screens word. */
import { z } from "zod";
import type { AccountState } from "./agent_protocol.ts";

/** What keeps an account from sending now, worst first; `ready` = nothing does. */
export const ACCOUNT_STANDINGS = [
  "banned",
  "restricted",
  "logged_out",
  /** Its app shows a screen that its site does not know. */
  "unknown_screen",
  /** A breaker rests it until a person has seen the reason. */
  "rested",
  /** It rests with the other unconfirmed accounts of its site. */
  "unconfirmed_rested",
  "app_missing",
  "unreachable",
  /** It was given too many deliveries today and returned them. */
  "gave_back",
  /** The site's unconfirmed accounts have used the day that they share. */
  "unconfirmed_full",
  /** Its own day is full, or its phone's. */
  "day_full",
  "hour_full",
  "ready",
] as const satisfies readonly (Exclude<AccountState, "ok"> | string)[];
export const accountStandingSchema = z.enum(ACCOUNT_STANDINGS);
export type AccountStanding = z.infer<typeof accountStandingSchema>;

/**
 * The state that leads a phone's card, worst first: a phone that cannot send is never shown as merely connected.
 * After the phone's own states come those of its accounts.
 */
export const DEVICE_STANDINGS = [
  /** No command came back from it lately, or its site is away. */
  "offline",
  /** A person stopped it. */
  "stopped",
  /** Its state says what a person beside it has to do. */
  "unfit",
  "site_stopped",
  "no_account",
  ...ACCOUNT_STANDINGS,
] as const;
export const deviceStandingSchema = z.enum(DEVICE_STANDINGS);
export type DeviceStanding = z.infer<typeof deviceStandingSchema>;

/**
 * What an agent says of a phone in its `stateDetail`, before the words of adb: "draft_left: adb lists it as offline".
 * The screens word it.
 */
export const DEVICE_NOTICES = [
  /** An unsent message of ours may be in one of its chats, where a person could send it. */
  "draft_left",
] as const;
export type DeviceNotice = (typeof DEVICE_NOTICES)[number];

const MAX_DETAIL_CHARS = 200;

/** Puts a notice before a phone's detail. */
export function withNotice(notice: DeviceNotice, detail: string | null): string {
  return (detail === null ? notice : `${notice}: ${detail}`).slice(0, MAX_DETAIL_CHARS);
}

/** Returns the notice in a phone's detail, and the words beside it. */
export function noticeIn(stateDetail: string | null): { notice: DeviceNotice | null; detail: string | null } {
  const notice = DEVICE_NOTICES.find((one) => stateDetail === one || stateDetail?.startsWith(`${one}: `)) ??
    null;
  if (notice === null) return { notice, detail: stateDetail };
  return { notice, detail: stateDetail!.slice(notice.length + 2) || null };
}

/** Causes of a campaign's standing still that its notice or an alert names beyond the notice's code. */
export const STALL_CAUSES = [
  // No phone can send.
  "no_site",
  "agent_too_old",
  "sites_away",
  "sites_stopped",
  "draining",
  "phones_offline",
  "phones_stopped",
  "accounts_rested",
  "accounts_lost",
  // Something could send, and nothing went.
  /** A connected site holds deliveries and reports nothing about them. */
  "held_silently",
  /** A site takes deliveries and never acknowledges them. */
  "offers_unanswered",
  /** A site gives deliveries back untapped, again and again. */
  "given_back",
  /** Phones have room, and no site asks for work. */
  "not_asking",
  // Only an administrator can end these.
  "words_missing",
  "backup_copy",
  "newer_release",
  "erasures_owed",
  /** Marketing waits, and every phone that could send it owes a rehearsal. */
  "rehearsals_owed",
  /** The message is personal, and no connected site's agent takes a text for each recipient. */
  "item_texts_missing",
] as const;
export const stallCauseSchema = z.enum(STALL_CAUSES);
export type StallCause = z.infer<typeof stallCauseSchema>;

/** After this long without a message, though something could go, a campaign says so. */
export const STALL_MS = 3 * 60_000;
