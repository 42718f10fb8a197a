import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { joinTokens, sites } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../db/statement.ts";

// No row = never made, or replaced by a newer one.
const TOKEN = `SELECT t.used_at, t.expires_at, s.revoked FROM join_tokens t JOIN sites s ON s.id = t.site
  WHERE t.hash = :hash`;

/** Returns why a join token was refused, for the person who typed it: the event and the next step. */
export async function joinRefusal(ctx: EdgeContext, hash: string): Promise<HttpError> {
  const [token] = rowsAs(await ctx.db.execute(statement(TOKEN, { hash })), {
    usedAt: joinTokens.usedAt,
    expiresAt: joinTokens.expiresAt,
    isRevoked: sites.revoked,
  });
  const refuse = (detail: string, text: string) => new HttpError("join_token_invalid", { detail, text });
  if (token === undefined) {
    return refuse("unknown", "קוד ההצטרפות לא מוכר. ייתכן שהופק אחריו קוד חדש: רק האחרון תקף.");
  }
  if (token.isRevoked) {
    return refuse("site_revoked", "האתר של הקוד הזה נותק לצמיתות. יש להקים אתר חדש ולהשתמש בקוד שלו.");
  }
  if (token.usedAt !== null) {
    return refuse("used", "קוד ההצטרפות כבר נוצל במחשב אחר. כל קוד מחבר מחשב אחד; נא להפיק קוד חדש.");
  }
  if (token.expiresAt <= ctx.now()) {
    return refuse("expired", "תוקף קוד ההצטרפות פג. קוד תקף רבע שעה; נא להפיק קוד חדש.");
  }
  return refuse("key_taken", "המפתח של המחשב הזה כבר רשום באתר אחר. יש לחבר אותו עם מפתח חדש.");
}
