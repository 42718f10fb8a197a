/**
 * The text that phones type: fixed when the campaign is sent, so that a later change of the profile changes no message.
 */
import { type CampaignKind, MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import { type Advertiser, aroundMarketing, composeMarketing } from "shared/marketing.ts";
import { removalLink, sampleRemovalLink } from "shared/removal_address.ts";
import { isPersonal, parseTemplate, type TemplateFault, type TextPart } from "shared/personal_text.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { readAdvertiser } from "./advertiser.ts";

interface Words {
  client: number;
  kind: CampaignKind;
  message: string;
}

/** The words of a send. */
export interface WordsToSend {
  /** For marketing the composed text, otherwise null = the message as written. Placeholders stand as they are written. */
  text: string | null;
  /** The whole text in parts when it differs between recipients; null = all get the same. */
  parts: TextPart[] | null;
  /** What is wrong with the placeholders. */
  faults: TemplateFault[];
}

/**
 * Returns the words for sending.
 *
 * @throws {HttpError} `advertiser_missing`; `invalid_input` when a text for all is too long
 */
export function composeForSending(
  ctx: Pick<EdgeContext, "linkOrigin">,
  { kind, message }: Omit<Words, "client">,
  advertiser: Advertiser | null,
): WordsToSend {
  const { parts, faults } = parseTemplate(message);
  const isOwn = faults.length > 0 || isPersonal(parts);
  if (kind !== "marketing") return { text: null, parts: isOwn ? parts : null, faults };
  if (advertiser === null) throw new HttpError("advertiser_missing");
  const text = composeMarketing(message, advertiser, shownLink(ctx, advertiser));
  const all = advertising(ctx, parts, advertiser);
  if (!isOwn) checkLength(text);
  return { text, parts: isPersonal(all) || isOwn ? all : null, faults };
}

/** Returns the parts with the lines of the law around them; these are never parsed. */
export function advertising(
  ctx: Pick<EdgeContext, "linkOrigin">,
  parts: readonly TextPart[],
  advertiser: Advertiser,
): TextPart[] {
  const origin = originOfLinks(ctx, advertiser);
  const { before, after } = aroundMarketing(advertiser, origin !== null);
  if (origin === null) return [before, ...parts, after];
  return [before, ...parts, after + removalLink(origin, ""), { token: true }];
}

/** Null = this advertiser's messages carry no link, or the edge does not know its address. */
function originOfLinks(
  { linkOrigin }: Pick<EdgeContext, "linkOrigin">,
  advertiser: Advertiser,
): string | null {
  return advertiser.removalLink ? linkOrigin ?? null : null;
}

/** Stands for the recipient's own link where a text is shown or measured for all. */
function shownLink(ctx: Pick<EdgeContext, "linkOrigin">, advertiser: Advertiser): string | null {
  const origin = originOfLinks(ctx, advertiser);
  return origin === null ? null : sampleRemovalLink(origin);
}

/**
 * Refuses text that could not be sent, as soon as the advertiser is known.
 *
 * @throws {HttpError} `invalid_input` when the composed text is too long
 */
export async function checkWords(ctx: Pick<EdgeContext, "db" | "linkOrigin">, words: Words): Promise<void> {
  const advertiser = words.kind === "marketing" ? await readAdvertiser(ctx.db, words.client) : null;
  if (advertiser === null) return;
  checkLength(composeMarketing(words.message, advertiser, shownLink(ctx, advertiser)));
}

/** Returns the composed text for the screens, also of a campaign that was not sent yet. */
export function composedOf(
  ctx: Pick<EdgeContext, "linkOrigin">,
  { kind, message, sentText }: Omit<Words, "client"> & { sentText: string | null },
  advertiser: Advertiser | null,
): string | null {
  if (sentText !== null) return sentText;
  if (kind !== "marketing" || advertiser === null) return null;
  return composeMarketing(message, advertiser, shownLink(ctx, advertiser));
}

function checkLength(text: string): void {
  const over = text.length - MAX_MESSAGE_CHARS;
  if (over <= 0) return;
  const excess = over === 1 ? "בתו אחד" : over === 2 ? "בשני תווים" : `ב־${over} תווים`;
  throw new HttpError("invalid_input", {
    text: `עם השורות שהחוק מוסיף ההודעה ארוכה מדי ${excess}: אפשר עד ${MAX_MESSAGE_CHARS}. נא לקצר אותה.`,
  });
}
