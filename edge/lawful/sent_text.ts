/**
 * The text that phones type: fixed when the campaign is sent, so that a later change of the profile changes no message.
 */
import type { Client } from "@libsql/client/web";
import { type CampaignKind, MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import { type Advertiser, aroundMarketing, composeMarketing } from "shared/marketing.ts";
import { isPersonal, parseTemplate, type TemplateFault, type TextPart } from "shared/personal_text.ts";
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
  { kind, message }: Omit<Words, "client">,
  advertiser: Advertiser | null,
): WordsToSend {
  const advertises = kind === "marketing";
  if (advertises && advertiser === null) throw new HttpError("advertiser_missing");
  const text = advertises ? composeMarketing(message, advertiser!) : null;
  const { parts, faults } = parseTemplate(message);
  if (faults.length > 0 || isPersonal(parts)) {
    return { text, parts: advertises ? advertising(parts, advertiser!) : parts, faults };
  }
  if (text !== null) checkLength(text);
  return { text, parts: null, faults };
}

/** Returns the parts with the lines of the law around them; these are never parsed. */
export function advertising(parts: readonly TextPart[], advertiser: Advertiser): TextPart[] {
  const { before, after } = aroundMarketing(advertiser);
  return [before, ...parts, after];
}

/**
 * Refuses text that could not be sent, as soon as the advertiser is known.
 *
 * @throws {HttpError} `invalid_input` when the composed text is too long
 */
export async function checkWords(db: Pick<Client, "execute">, words: Words): Promise<void> {
  const advertiser = words.kind === "marketing" ? await readAdvertiser(db, words.client) : null;
  if (advertiser !== null) checkLength(composeMarketing(words.message, advertiser));
}

/** Returns the composed text for the screens, also of a campaign that was not sent yet. */
export function composedOf(
  { kind, message, sentText }: Omit<Words, "client"> & { sentText: string | null },
  advertiser: Advertiser | null,
): string | null {
  if (sentText !== null) return sentText;
  return kind === "marketing" && advertiser !== null ? composeMarketing(message, advertiser) : null;
}

function checkLength(text: string): void {
  const over = text.length - MAX_MESSAGE_CHARS;
  if (over <= 0) return;
  const excess = over === 1 ? "בתו אחד" : over === 2 ? "בשני תווים" : `ב־${over} תווים`;
  throw new HttpError("invalid_input", {
    text: `עם השורות שהחוק מוסיף ההודעה ארוכה מדי ${excess}: אפשר עד ${MAX_MESSAGE_CHARS}. נא לקצר אותה.`,
  });
}
