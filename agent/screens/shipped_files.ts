/** The screen files of this release. They are part of the bundle. */
import android from "./shipped/android.json" with { type: "json" };
import app from "./shipped/app-2.json" with { type: "json" };
import arabic from "./shipped/ar-2.json" with { type: "json" };
import english from "./shipped/en-2.json" with { type: "json" };
import hebrew from "./shipped/he-2.json" with { type: "json" };
import russian from "./shipped/ru-2.json" with { type: "json" };
import { type ScreenFile, screenFileSchema } from "./screen_file.ts";
import { wordsFor } from "./screen_words.ts";

export const SHIPPED_FILES: readonly ScreenFile[] = [app, hebrew, english, arabic, russian, android]
  .map((file) => screenFileSchema.parse(file));

/** What the release knows about an app of any version on a phone of any language. */
export const SHIPPED_WORDS = wordsFor({ own: [], shipped: SHIPPED_FILES }, {
  appVersion: null,
  language: null,
});
