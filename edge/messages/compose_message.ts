/** The whole text of a message by call: values in their places, and the lines of the law around advertising. */
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import type { Advertiser } from "shared/marketing.ts";
import type { MessageRequest } from "shared/messages_api.ts";
import { composeText, parseTemplate, type TextPart } from "shared/personal_text.ts";
import { MAX_TOKEN_CHARS } from "shared/removal_address.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { advertising } from "../lawful/sent_text.ts";
import { refuseFaults } from "../personal/refuse_send.ts";

/** The field of a carrier's row that holds its text. */
const TEXT_FIELD = "text";

export interface ComposedMessage {
  /** The text without the token of the recipient's own link. */
  text: string;
  /** The parts of the carrier, the same for all its messages: the text, and the token if there is a link. */
  parts: TextPart[];
}

/**
 * Composes the text of one message. Saved messages join here: a call that names one gets its words as `text`.
 *
 * @throws {HttpError} `placeholder_faulty`, `values_missing`, `text_too_long`, `advertiser_missing`
 */
export function composeMessage(
  ctx: Pick<EdgeContext, "linkOrigin">,
  { text, values, kind }: Pick<MessageRequest, "text" | "values" | "kind">,
  advertiser: Advertiser | null,
): ComposedMessage {
  const { parts, faults } = parseTemplate(text);
  refuseFaults(faults);
  const own = composeText(parts, values, () => "");
  if (own === null) {
    throw new HttpError("values_missing", { text: "חסר ערך שההודעה צריכה, ואין לו נוסח חלופי." });
  }
  const all = kind === "marketing" ? aroundOwn(ctx, own, advertiser) : [own];
  const words = all.filter((part) => typeof part === "string").join("");
  const hasLink = all.length > 0 && typeof all.at(-1) === "object";
  const over = words.length + (hasLink ? MAX_TOKEN_CHARS : 0) - MAX_MESSAGE_CHARS;
  if (over > 0) {
    throw new HttpError("text_too_long", {
      text: `ההודעה ארוכה מדי ב־${over.toLocaleString("en-US")} תווים: אפשר עד ${
        MAX_MESSAGE_CHARS.toLocaleString("en-US")
      }, עם הערכים ועם השורות שהחוק מוסיף.`,
    });
  }
  if (words.trim() === "") throw new HttpError("invalid_input", { detail: "text is empty" });
  const place = { field: TEXT_FIELD, fallback: null };
  return { text: words, parts: hasLink ? [place, { token: true }] : [place] };
}

/** Returns the JSON of the fields of a row with this text. */
export function fieldsOfText(text: string): string {
  return JSON.stringify({ [TEXT_FIELD]: text });
}

/** The JSON of a carrier's required fields. */
export const REQUIRED_FIELDS = JSON.stringify([TEXT_FIELD]);

function aroundOwn(
  ctx: Pick<EdgeContext, "linkOrigin">,
  own: string,
  advertiser: Advertiser | null,
): TextPart[] {
  if (advertiser === null) throw new HttpError("advertiser_missing");
  return advertising(ctx, [own], advertiser);
}
