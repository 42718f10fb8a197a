/**
 * Which names of a screen's parts may be kept: ids, classes, packages and windows. Some apps and toolkits build such a
 * name from what is shown, so a name is kept only when the product knows it, or when each word of it is a technical
 * word of this list and it has no digit. Every other name is replaced.
 */
import type { ScreenWords } from "./screen_words.ts";
import { TECHNICAL_WORDS } from "./technical_words.ts";

/** Android's own ids that are no small letters. */
const ANDROID_IDS: ReadonlySet<string> = new Set(
  ("alertTitle parentPanel topPanel contentPanel customPanel buttonPanel scrollView titleDivider titleDividerTop " +
    "button1 button2 button3 text1 text2 icon1 icon2 summary checkbox custom content title message list " +
    "navigationBarBackground statusBarBackground inputExtractEditText aerr_wait aerr_close aerr_app_info " +
    "aerr_report aerr_restart aerr_mute autofill_save up home").split(" ").map((name) =>
      `android:id/${name}`
    ),
);
/** Parts of the names of packages and classes that are no words of the list. */
const PACKAGE_PARTS: ReadonlySet<string> = new Set(
  ("com org net android androidx google whatsapp w4b gms gsf vending samsung sec knox miui xiaomi mi motorola lenovo " +
    "huawei honor oppo coloros oplus realme vivo oneplus heytap sony asus nokia hmd lge nothing transsion " +
    "systemui permissioncontroller packageinstaller inputmethod honeyboard launcher documentsui " +
    "intentresolver settings dialer messaging appcompat recyclerview constraintlayout coordinatorlayout " +
    "viewpager cardview drawerlayout material compose platform webkit widget view ui app apps biz " +
    "GrantPermissionsActivity").split(" "),
);
const WINDOW_TITLES: ReadonlySet<string> = new Set(
  ("NotificationShade StatusBar NavigationBar0 Keyguard InputMethod Toast VolumeDialog GlobalActions " +
    "RecentsPanel ScreenDecorOverlay BiometricPrompt").split(" "),
);
const WINDOW_PREFIX = /^(?:Application (?:Not Responding|Error): )/;
/** The end of a class's name says what it is, and flows read it. */
const FAMILY =
  /(?:EditText|TextView|ImageView|ImageButton|Button|ListView|RecyclerView|ScrollView|WebView|FrameLayout|LinearLayout|RelativeLayout|ViewGroup|View)$/;
const MOST_CHARS = 120;

/** Returns what stands for a name, or a part of one, that is not kept. */
export type Replace = (name: string, kind: "id" | "app" | "name") => string;

/** Returns an id, "com.whatsapp:id/entry", whose parts are replaced when they are not plain. */
export function plainId(id: string, app: string, words: ScreenWords, replace: Replace): string {
  if (id === "" || isPlainId(id, app, words)) return id;
  const [, owner, name] = /^([^:/]{1,120}):id\/(.+)$/s.exec(id) ?? [, "", id];
  const start = owner === "" ? "" : `${plainPackage(owner, app, replace)}:id/`;
  return start + (isPlainName(name!) ? name : replace(name!, "id"));
}

/** True for an id that may be kept as it is. */
export function isPlainId(id: string, app: string, words: ScreenWords): boolean {
  if (words.knowsId(id, app) || ANDROID_IDS.has(id)) return true;
  const [, owner, name] = /^([\w.]{1,120}):id\/(\w{1,80})$/.exec(id) ?? [, null, id];
  return (owner === null || isPlainPackage(owner!, app)) && isPlainName(name!);
}

/** Returns the name of a package, "com.whatsapp", or what replaces it. */
export function plainPackage(name: string, app: string, replace: Replace): string {
  return name === "" || isPlainPackage(name, app) ? name : replace(name, "app");
}

/** Returns the name of a class whose parts are replaced when they are not plain. Its family stays. */
export function plainClass(name: string, words: ScreenWords, replace: Replace): string {
  return parted(name, words, (part) => `${replace(part, "name")}${FAMILY.exec(part)?.[0] ?? ""}`);
}

/**
 * Returns the title of a window, "com.whatsapp/com.whatsapp.Conversation", with its parts replaced; null for a title that
 * is no component and no known title.
 */
export function plainWindow(title: string, app: string, words: ScreenWords, replace: Replace): string | null {
  const [start = ""] = WINDOW_PREFIX.exec(title) ?? [];
  const rest = title.slice(start.length);
  if (WINDOW_TITLES.has(rest)) return title;
  const [owner, name, ...more] = rest.split("/");
  if (more.length > 0 || !/^[A-Za-z]\w*(?:\.\w+)+$/.test(owner!)) return null;
  const activity = name === undefined ? "" : `/${parted(name, words, (part) => replace(part, "name"))}`;
  return `${start}${plainPackage(owner!, app, replace)}${activity}`;
}

function parted(name: string, words: ScreenWords, replace: (part: string) => string): string {
  return name.slice(0, MOST_CHARS).split(/([.$])/).map((part) =>
    part === "" || part === "." || part === "$" || isPlainPart(part, words) ? part : replace(part)
  ).join("");
}

/** True for "Conversation", "GrantPermissionsActivity", "widget". */
function isPlainPart(part: string, words: ScreenWords): boolean {
  if (PACKAGE_PARTS.has(part) || words.knowsActivityPart(part)) return true;
  if (!/^[A-Za-z]+$/.test(part)) return false;
  return part.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).every((word) =>
    TECHNICAL_WORDS.has(word.toLowerCase())
  );
}

function isPlainPackage(name: string, app: string): boolean {
  if (name === app) return /^[A-Za-z][\w.]{0,80}$/.test(name);
  return name.split(".").every((part) => PACKAGE_PARTS.has(part) || TECHNICAL_WORDS.has(part));
}

/** True for "voice_note_btn": small letters, no digit, and no more than one letter that stands alone, at the end. */
function isPlainName(name: string): boolean {
  if (!/^[a-z_]{1,80}$/.test(name)) return false;
  const parts = name.split("_");
  return parts.every((part, at) =>
    part === "" || TECHNICAL_WORDS.has(part) || (part.length === 1 && at > 0 && at === parts.length - 1)
  );
}
