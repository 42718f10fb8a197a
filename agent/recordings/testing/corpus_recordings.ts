/**
 * The recordings of the corpus, rebuilt from documented facts. Nothing is copied: the facts are ids, classes, windows
 * and wordings that public projects name, and the screens around them are ours.
 */
import type { Answer, Asked, RecordedNode, Recording, Verdict } from "../recording.ts";
import { type Beside, Screen } from "./corpus_screens.ts";
import { type CorpusLanguage, LANGUAGES, WORDS } from "./corpus_words.ts";

const PUMA =
  "Ids and classes of the chat, the caption and the buttons: github.com/NetherlandsForensicInstitute/puma, puma/apps/android/whatsapp/xpaths.py (app 2.25 and later)";
const HYSUREN =
  "Windows, activities and English wordings of dialogs: github.com/HySuren/Android_core_Whatsapp, scrip_iterations_rules/rules.py and core/frame_types.py";
const ALERT =
  "Ids of Android's dialogs: github.com/aosp-mirror/platform_frameworks_base, core/res/res/layout/alert_dialog.xml";
const ANR =
  'Windows "Application Not Responding: …" and "Application Error: …": AOSP, services/core/java/com/android/server/am/AppErrorDialog.java and AppNotRespondingDialog.java';
const USERS =
  "Users and profiles of one app on a phone: AOSP, core/java/android/os/UserManager.java (CLONE, MANAGED)";
const TABLET =
  "Two columns on tablets, chats at one side and the open chat at the other: cellulari.it and ipaddisti.it on the app's tablet beta";
const RTL =
  "Mirrored places in languages from right to left: developer.android.com, View.LAYOUT_DIRECTION_RTL";
const BESIDE =
  "Pinned messages, previews of links, quoted messages and floating dates around a chat: faq.whatsapp.com; their ids are our assumption";
const OWN_CHAT = "The mark of the chat with oneself: faq.whatsapp.com, Message yourself";
const WORDING = "The wording in this language is our own translation";

const NUMBER = "+972545551234";
const TITLE = "+972 54-555-1234";
const OTHER = "+972 52-111-2233";

interface Place {
  language: CorpusLanguage;
  android: string;
  width?: number;
  height?: number;
  paneLeft?: number;
  app?: string;
  user?: number;
  model?: string;
  appVersion?: string;
}

export interface CorpusEntry {
  name: string;
  recording: Recording;
}

interface Shot {
  asked: Asked;
  windows: RecordedNode[] | null;
  window: string | null;
  user?: number;
  exitCode?: number;
}

const CONVERSATION = "com.whatsapp.Conversation";
const COMPOSER = "com.whatsapp.mediacomposer.MediaComposerActivity";
const PERMISSION = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";

/** Returns every recording of the corpus, in the order of their names. */
export function corpus(): CorpusEntry[] {
  return [...chats(), ...chatsThatAreNotReady(), ...pictures(), ...dialogs(), ...phones()]
    .toSorted((a, b) => a.name < b.name ? -1 : 1);
}

function entry(
  name: string,
  place: Place,
  { title, standing = "documented", sources, shots, verdict, isPicture = false }: {
    title: string;
    standing?: "documented" | "unseen";
    sources: string[];
    shots: Shot[];
    verdict: Verdict;
    isPicture?: boolean;
  },
): CorpusEntry {
  const { language, android, user = 0, model = null, app = "com.whatsapp", appVersion = "2.25.37.76" } =
    place;
  const isFromRight = language === "he" || language === "ar";
  let uptimeS = 5_000;
  return {
    name,
    recording: {
      format: 1,
      title,
      standing,
      sources: [...sources, ...(isFromRight ? [RTL] : [])],
      facts: { app, user, appVersion, androidVersion: android, model, language },
      delivery: { phone: NUMBER, text: WORDS[language].draft, isPicture },
      steps: shots.map(({ asked, windows, window, user: shown = user, exitCode = 0 }, at) => {
        const isScreen = asked === "open_chat" || asked === "open_picture" || asked === "read";
        const answer: Answer = { exitCode };
        if (windows) answer.dump = windows;
        if (window !== null) answer.focus = { user: shown, window };
        if (isScreen) Object.assign(answer, { uptimeS: uptimeS += 4, boot: 1 });
        return { asked, atMs: at * 4_000, tookMs: isScreen ? 3_200 : 300, answer };
      }),
      verdict,
    },
  };
}

function screenOf({ language, width = 1080, height = 2400, app = "com.whatsapp", paneLeft }: Place): Screen {
  return new Screen({ language, width, height, app, ...(paneLeft === undefined ? {} : { paneLeft }) });
}

function window(place: Place, activity: string): string {
  return `${place.app ?? "com.whatsapp"}/${activity}`;
}

/** A whole delivery: the chat with its draft, the tap, the chat with the new row. */
function sent(name: string, place: Place, title: string, sources = [PUMA], options: {
  sendId?: string;
  hint?: boolean;
  header?: string;
  beside?: Beside;
  standing?: "documented" | "unseen";
} = {}): CorpusEntry {
  const screen = screenOf(place);
  const { words } = screen;
  const { sendId, hint, header = `\u200e${TITLE}`, beside } = options;
  const before = [
    { text: words.earlier, time: "09:15", isOwn: true },
    { text: words.theirs, time: "09:20", isOwn: false, quoted: words.earlier },
  ];
  const chat = (draft: string, rows: typeof before) =>
    screen.chat({
      title: header,
      draft,
      rows,
      beside,
      ...(sendId === undefined ? {} : { sendId }),
      ...(hint === undefined ? {} : { hint }),
    });
  const own = { text: words.draft, time: "10:05", isOwn: true };
  const inFront = window(place, CONVERSATION);
  return entry(name, place, {
    title,
    sources,
    ...(options.standing ? { standing: options.standing } : {}),
    shots: [
      { asked: "fence", windows: null, window: null },
      { asked: "open_chat", windows: chat(words.draft, before), window: inFront },
      { asked: "tap", windows: null, window: null },
      { asked: "read", windows: chat("", [...before, own]), window: inFront },
    ],
    verdict: { kind: "sent" },
  });
}

function chats(): CorpusEntry[] {
  const versions: Record<CorpusLanguage, Place[]> = {
    he: [
      { language: "he", android: "9", width: 720, height: 1520 },
      { language: "he", android: "14", model: "SM-A145F" },
      { language: "he", android: "16", width: 1440, height: 3120 },
    ],
    en: [
      { language: "en", android: "10", width: 720, height: 1280 },
      { language: "en", android: "13", model: "23053RN02A" },
      { language: "en", android: "15", width: 1080, height: 2340 },
    ],
    ar: [{ language: "ar", android: "11" }, { language: "ar", android: "14", width: 720, height: 1600 }],
    ru: [{ language: "ru", android: "12" }, { language: "ru", android: "15", model: "moto g54" }],
  };
  const plain = LANGUAGES.flatMap((language) =>
    versions[language].map((place) =>
      sent(
        `chat_${language}_android_${place.android}`,
        place,
        `A chat, a tap on send and its row (${language})`,
      )
    )
  );
  return [
    ...plain,
    sent(
      "chat_he_business",
      { language: "he", android: "14", app: "com.whatsapp.w4b" },
      "The same in the business app",
      [PUMA],
    ),
    sent(
      "chat_en_hint_attribute",
      { language: "en", android: "15" },
      "An empty box with its hint in an attribute of its own",
      [
        PUMA,
        "Attribute hint of newer dumps: AOSP, AccessibilityNodeInfo.getHintText()",
      ],
      { hint: true },
    ),
    sent(
      "chat_en_send_media_btn",
      { language: "en", android: "14" },
      "A chat whose send button has the id of the picture's",
      [PUMA],
      {
        sendId: "send_media_btn",
        standing: "unseen",
      },
    ),
    sent(
      "chat_ar_isolated_number",
      { language: "ar", android: "13" },
      "The number between isolating marks of direction",
      [PUMA],
      {
        header: `\u2066${TITLE}\u2069`,
        standing: "unseen",
      },
    ),
    sent("chat_ru_number_with_spaces", { language: "ru", android: "11" }, "The number with narrow dashes", [
      PUMA,
    ], {
      header: "+972 54\u2011555\u20111234",
      standing: "unseen",
    }),
    sent(
      "tablet_en_two_panes",
      { language: "en", android: "14", width: 2560, height: 1600, paneLeft: 900 },
      "A tablet with the chats at the left",
      [PUMA, TABLET],
      { standing: "unseen" },
    ),
    sent(
      "tablet_he_two_panes",
      { language: "he", android: "13", width: 2000, height: 1200, paneLeft: 760 },
      "A tablet with the chats at the right",
      [PUMA, TABLET],
      { standing: "unseen" },
    ),
    sent(
      "profile_he_work",
      { language: "he", android: "13", user: 10 },
      "The app of a work profile, Android user 10",
      [PUMA, USERS],
    ),
    sent(
      "profile_ar_samsung_dual",
      { language: "ar", android: "14", user: 95, model: "SM-A155F" },
      "Samsung's second app, Android user 95",
      [PUMA, USERS],
      { standing: "unseen" },
    ),
    sent(
      "profile_ru_xiaomi_dual",
      { language: "ru", android: "13", user: 999, model: "23053RN02A" },
      "Xiaomi's second app, Android user 999",
      [PUMA, USERS],
      { standing: "unseen" },
    ),
    longText(),
    ...chatsWithWords(),
  ];
}

/** Right chats with words beside their rows that look like a number or like a lost account. */
function chatsWithWords(): CorpusEntry[] {
  const all: [name: string, CorpusLanguage, title: string, Beside][] = [
    ["chat_en_preview_number", "en", "A link's preview with a number", { preview: "1-700-700-700" }],
    ["chat_he_preview_years", "he", "A link's preview with two years", { preview: "2025 - 2026" }],
    ["chat_en_preview_banned", "en", "A link's preview about banned accounts", {
      preview: "What to do when your account has been banned",
    }],
    ["chat_he_pinned_number", "he", "A pinned message that is a number", { pinned: OTHER }],
    ["chat_en_pinned_verify", "en", "A pinned message with the words of a logout", {
      pinned: "Please verify your phone number",
    }],
    ["chat_ru_pinned_banned", "ru", "A pinned message with the words of a ban", {
      pinned: "Этот аккаунт заблокирован, смешно",
    }],
    ["chat_en_floating_date", "en", "A date over the rows", { floating: "12/10/2024" }],
    ["chat_ru_floating_date", "ru", "A date with dots over the rows", { floating: "12.10.2024" }],
    ["chat_he_answered_number", "he", "The message that is answered is a number", { answered: "0521112233" }],
    ["chat_en_answered_banned", "en", "The message that is answered has the words of a ban", {
      answered: "my number has been banned lol",
    }],
    ["chat_en_last_seen", "en", "The last visit under the number", {
      subtitle: "last seen 12/10/2024, 10:24",
    }],
    ["chat_he_local_number", "he", "The same number in its local form under the title", {
      subtitle: "054-555-1234",
    }],
    ["chat_ar_much_beside", "ar", "All of it at once", {
      subtitle: "~ 2025",
      pinned: "٠٥٢-١١١-٢٢٣٣",
      floating: "١٢/١٠/٢٠٢٤",
      preview: "حسابك محظور؟ هذا الحساب غير مسموح له باستخدام واتساب",
      answered: "+٩٧٢ ٥٢-١١١-٢٢٣٣",
    }],
  ];
  const headers: [name: string, CorpusLanguage, header: string][] = [
    ["chat_en_own_number", "en", `${TITLE} (You)`],
    ["chat_he_own_number", "he", `\u200e${TITLE}\u200f (את/ה)`],
    ["chat_ar_arabic_digits", "ar", "\u061c+٩٧٢ ٥٤-٥٥٥-١٢٣٤"],
    ["chat_en_unseen_signs", "en", "\u200b+972\u206054-555-1234"],
  ];
  return [
    ...all.map(([name, language, title, beside]) =>
      sent(name, { language, android: "14" }, title, [PUMA, BESIDE], { beside, standing: "unseen" })
    ),
    ...headers.map(([name, language, header]) =>
      sent(name, { language, android: "14" }, "The number in other signs", [PUMA, OWN_CHAT], {
        header,
        standing: "unseen",
      })
    ),
  ];
}

function longText(): CorpusEntry {
  const place: Place = { language: "he", android: "12" };
  const screen = screenOf(place);
  const { words } = screen;
  const text = `${words.draft} `.repeat(30).trim();
  const cut = `${text.slice(0, 768)}… ${words.readMore}`;
  const inFront = window(place, CONVERSATION);
  const one = entry("chat_he_long_text", place, {
    title: "A long text, whose row is cut off",
    sources: [PUMA, "Rows fold after 768 characters: our simulator's assumption"],
    standing: "unseen",
    shots: [
      { asked: "open_chat", windows: screen.chat({ title: TITLE, draft: text, rows: [] }), window: inFront },
      { asked: "tap", windows: null, window: null },
      {
        asked: "read",
        windows: screen.chat({ title: TITLE, draft: "", rows: [{ text: cut, time: "10:05", isOwn: true }] }),
        window: inFront,
      },
    ],
    verdict: { kind: "sent" },
  });
  one.recording.delivery!.text = text;
  return one;
}

function chatsThatAreNotReady(): CorpusEntry[] {
  const place: Place = { language: "he", android: "14" };
  const screen = screenOf(place);
  const { words } = screen;
  const decoys = [
    { text: TITLE, time: "09:10", isOwn: false, quoted: words.draft },
    { text: words.draft, time: "09:15", isOwn: true },
  ];
  const still = (
    name: string,
    title: string,
    windows: RecordedNode[],
    verdict: Verdict,
    standing?: "unseen",
  ) =>
    entry(name, place, {
      title,
      sources: [PUMA],
      ...(standing ? { standing } : {}),
      shots: [{ asked: "open_chat", windows, window: window(place, CONVERSATION) }],
      verdict,
    });
  const unknown: Verdict = { kind: "unknown_screen" };
  const no = (reason: "chat_not_opened" | "draft_mismatch" | "chat_titled_by_name"): Verdict => ({
    kind: "not_ready",
    reason,
  });
  return [
    still(
      "chat_he_other_number",
      "Another number's chat, with our number and our text in its rows",
      screen.chat({ title: OTHER, draft: words.draft, rows: decoys }),
      no("chat_not_opened"),
    ),
    still(
      "chat_he_name",
      "The chat of a saved contact, with our number in its rows",
      screen.chat({ title: "החנות", draft: words.draft, rows: decoys }),
      no("chat_titled_by_name"),
    ),
    still(
      "chat_he_older_draft",
      "The right chat with another draft, and our text in its rows",
      screen.chat({ title: TITLE, draft: words.theirs, rows: decoys }),
      no("draft_mismatch"),
    ),
    still(
      "chat_he_no_draft",
      "The right chat without a draft",
      screen.chat({ title: TITLE, draft: "", rows: decoys }),
      no("draft_mismatch"),
    ),
    still(
      "chat_he_other_number_pinned",
      "Another number's chat, with our number pinned, in a preview and answered",
      screen.chat({
        title: OTHER,
        draft: words.draft,
        rows: decoys,
        beside: { pinned: TITLE, preview: TITLE, answered: TITLE },
      }),
      no("chat_not_opened"),
    ),
    still(
      "chat_he_other_subtitle",
      "Another number under our number in the bar of the title",
      screen.chat({ title: TITLE, draft: words.draft, rows: [], beside: { subtitle: OTHER } }),
      unknown,
      "unseen",
    ),
    still(
      "chat_he_ids_moved_pinned",
      "A version with other ids, with the words of a ban in a pinned message",
      renamed(screen.chat({ title: TITLE, draft: words.draft, rows: [], beside: { pinned: words.banned } })),
      unknown,
      "unseen",
    ),
    still(
      "chat_he_notice_over_chat",
      "A window of the app over the chat says that the account is banned",
      [
        ...screen.chat({ title: TITLE, draft: words.draft, rows: [] }),
        screen.node("FrameLayout", "notice", [100, 300, 900, 500], {
          nodes: [screen.node("TextView", "notice_text", [150, 350, 850, 450], { text: words.banned })],
        }),
      ],
      unknown,
      "unseen",
    ),
    entry("chat_he_list_with_notice", place, {
      title: "The list of chats, under words about a restriction that may be a person's",
      sources: [PUMA],
      standing: "unseen",
      shots: [{
        asked: "open_chat",
        windows: [
          ...screen.home(),
          screen.node("TextView", "banner_text", [0, 92, 1000, 118], { text: words.restricted }),
        ],
        window: window(place, "com.whatsapp.HomeActivity"),
      }],
      verdict: unknown,
    }),
    entry("chat_he_list_of_chats", place, {
      title: "The list of chats stays",
      sources: [PUMA],
      shots: [{
        asked: "open_chat",
        windows: screen.home(),
        window: window(place, "com.whatsapp.HomeActivity"),
      }],
      verdict: no("chat_not_opened"),
    }),
    still(
      "chat_he_ids_moved",
      "A version of the app with other ids",
      renamed(screen.chat({ title: TITLE, draft: words.draft, rows: [] })),
      unknown,
      "unseen",
    ),
    entry("chat_he_slow", place, {
      title: "The chat comes after two readings of the list of chats",
      sources: [PUMA],
      shots: [
        { asked: "open_chat", windows: screen.home(), window: window(place, "com.whatsapp.HomeActivity") },
        { asked: "read", windows: screen.home(), window: window(place, "com.whatsapp.HomeActivity") },
        {
          asked: "read",
          windows: screen.chat({ title: TITLE, draft: words.draft, rows: [] }),
          window: window(place, CONVERSATION),
        },
      ],
      verdict: { kind: "ready" },
    }),
    entry("profile_he_other_user", { ...place, user: 10 }, {
      title: "The intent opened the owner's app instead of the work profile's",
      sources: [PUMA, USERS],
      shots: [{
        asked: "open_chat",
        windows: screen.chat({ title: TITLE, draft: words.draft, rows: [] }),
        window: window(place, CONVERSATION),
        user: 0,
      }],
      verdict: no("chat_not_opened"),
    }),
  ];
}

function renamed(windows: RecordedNode[]): RecordedNode[] {
  return windows.map(({ id, nodes, ...rest }) => ({
    ...rest,
    ...(id === undefined ? {} : { id: id.startsWith("android:") ? id : id.replace(":id/", ":id/wds_") }),
    ...(nodes ? { nodes: renamed(nodes) } : {}),
  }));
}

function pictures(): CorpusEntry[] {
  const of = (
    name: string,
    place: Place,
    title: string,
    picture: {
      receiver: string | null;
      caption?: string;
      sendId?: string;
      receiverId?: string;
      described?: string;
      more?: string;
    },
    verdict: Verdict,
    standing: "documented" | "unseen" = "documented",
  ) => {
    const screen = screenOf(place);
    const { words } = screen;
    const chat = screen.chat({ title: TITLE, draft: "", rows: [] });
    const shown = screen.picture({ caption: words.draft, ...picture });
    const after = screen.chat({
      title: TITLE,
      draft: "",
      rows: [{ text: words.draft, time: "10:05", isOwn: true }],
    });
    const isSent = verdict.kind === "sent";
    return entry(name, place, {
      title,
      standing,
      sources: [PUMA, "recipients_text and send_media_btn: our simulator's assumption after older versions"],
      isPicture: true,
      shots: [
        { asked: "open_chat", windows: chat, window: window(place, CONVERSATION) },
        { asked: "open_picture", windows: shown, window: window(place, COMPOSER) },
        ...(isSent
          ? [
            { asked: "tap" as const, windows: null, window: null },
            { asked: "read" as const, windows: after, window: window(place, CONVERSATION) },
          ]
          : []),
      ],
      verdict,
    });
  };
  const ok: Verdict = { kind: "sent" };
  return [
    of(
      "picture_he",
      { language: "he", android: "14" },
      "A picture with its receiver",
      { receiver: TITLE },
      ok,
    ),
    of("picture_en", { language: "en", android: "13" }, "A picture, English", { receiver: TITLE }, ok),
    of("picture_ar", { language: "ar", android: "12" }, "A picture, Arabic", { receiver: TITLE }, ok),
    of("picture_ru", { language: "ru", android: "16", width: 1440, height: 3120 }, "A picture, Russian", {
      receiver: TITLE,
    }, ok),
    of(
      "picture_en_send_media_btn",
      { language: "en", android: "15" },
      "A picture with the newer button",
      { receiver: TITLE, sendId: "send_media_btn" },
      ok,
      "unseen",
    ),
    of(
      "picture_en_described",
      { language: "en", android: "13" },
      "A picture whose frame of receivers says the number again",
      { receiver: TITLE, described: `Recipients: ${TITLE}` },
      ok,
      "unseen",
    ),
    ...Object.entries({
      no_receiver: { receiver: null },
      name_in_new_id: { receiver: "Dana Levi", receiverId: "recipient_chip" },
      status_in_new_id: { receiver: "My status (Contacts)", receiverId: "recipient_chip" },
      number_in_new_id: { receiver: TITLE, receiverId: "recipient_chip" },
      other_number_described: { receiver: null, described: OTHER },
      other_number_beside: { receiver: TITLE, described: `Recipients: ${TITLE}, ${OTHER}` },
      one_more: { receiver: TITLE, more: "+1 more" },
      second_name: { receiver: TITLE, more: "Dana" },
    }).map(([name, picture]) =>
      of(
        `picture_en_${name}`,
        { language: "en", android: "13" },
        `A picture whose receiver is not known: ${name.replaceAll("_", " ")}`,
        picture,
        { kind: "unknown_screen" },
        "unseen",
      )
    ),
    of(
      "picture_en_two_numbers",
      { language: "en", android: "13" },
      "A picture to two numbers",
      {
        receiver: `${TITLE}, ${OTHER}`,
      },
      { kind: "not_ready", reason: "chat_not_opened" },
      "unseen",
    ),
    of("picture_he_name", { language: "he", android: "14" }, "A picture whose receiver is a name", {
      receiver: "החנות",
    }, { kind: "not_ready", reason: "chat_not_opened" }),
    of("picture_he_other_receiver", { language: "he", android: "14" }, "A picture to another number", {
      receiver: OTHER,
    }, { kind: "not_ready", reason: "chat_not_opened" }),
    of("picture_he_caption_lost", { language: "he", android: "11" }, "A picture without its caption", {
      receiver: TITLE,
      caption: "",
    }, { kind: "not_ready", reason: "caption_not_shown" }),
  ];
}

function dialogs(): CorpusEntry[] {
  const all: CorpusEntry[] = [];
  for (const language of LANGUAGES) {
    const place: Place = { language, android: { he: "14", en: "13", ar: "12", ru: "15" }[language] };
    const screen = screenOf(place);
    const { words } = screen;
    const isEnglish = language === "en";
    const home = window(place, "com.whatsapp.HomeActivity");
    const chat = screen.chat({ title: TITLE, draft: words.draft, rows: [] });
    const over = (
      name: string,
      title: string,
      windows: RecordedNode[],
      inFront: string,
      verdict: Verdict,
      sources: string[],
    ) =>
      all.push(entry(`dialog_${language}_${name}`, place, {
        title,
        standing: isEnglish ? "documented" : "unseen",
        sources: [...sources, ...(isEnglish ? [] : [WORDING])],
        shots: [
          { asked: "open_chat", windows, window: inFront },
          { asked: "read", windows, window: inFront },
        ],
        verdict,
      }));
    const blocked: Verdict = { kind: "not_ready", reason: "phone_screen_blocked" };
    const unknown: Verdict = { kind: "unknown_screen" };
    over(
      "not_on_app",
      "The number is not on the app",
      screen.dialog({ text: words.notOnApp(TITLE), buttons: [words.ok] }),
      home,
      { kind: "not_on_app" },
      [HYSUREN, ALERT],
    );
    over(
      "banned",
      "The account is banned",
      screen.page("heading", words.banned, ["appeal", words.ok]),
      window(place, "com.whatsapp.userban.ui.BanAppealActivity"),
      { kind: "lost", state: "banned" },
      [HYSUREN],
    );
    over(
      "restricted",
      "The account may start no new chats",
      screen.dialog({ text: words.restricted, buttons: [words.ok] }),
      home,
      { kind: "lost", state: "restricted" },
      [
        "Wordings of restrictions: our facts of public projects (rpa_risk_screen.py)",
      ],
    );
    over(
      "register",
      "The app asks for the number again",
      screen.page("register_phone_toolbar_title", words.verify, ["registration_submit", words.ok]),
      window(place, "com.whatsapp.registration.phonenumberentry.RegisterPhone"),
      { kind: "lost", state: "logged_out" },
      [HYSUREN],
    );
    over(
      "verify",
      "The app waits for a code",
      screen.page("title", words.verify, ["submit", words.ok]),
      window(place, "com.whatsapp.registration.verifyphone.VerifyPhoneNumber"),
      { kind: "lost", state: "logged_out" },
      [HYSUREN],
    );
    over(
      "update",
      "The app must be updated",
      screen.dialog({ text: words.update, buttons: [words.ok, words.notNow], beneath: chat }),
      home,
      unknown,
      [HYSUREN],
    );
    over(
      "storage",
      "The storage is full",
      screen.dialog({ text: words.storage, buttons: [words.ok], beneath: chat }),
      home,
      unknown,
      [ALERT],
    );
    over(
      "notifications",
      "Android asks whether the app may notify",
      screen.permission(words.notifications, [words.ok, words.cancel]),
      `com.google.android.permissioncontroller/${PERMISSION}`,
      blocked,
      [HYSUREN],
    );
    over(
      "backup",
      "The app offers a backup",
      screen.dialog({ text: words.backup, buttons: [words.ok, words.notNow], beneath: chat }),
      home,
      blocked,
      [HYSUREN],
    );
    over(
      "rate_us",
      "The app asks to be rated",
      screen.dialog({ text: words.rate, buttons: [words.ok, words.notNow], beneath: chat }),
      home,
      blocked,
      [ALERT],
    );
    over(
      "hangs",
      "Android says that the app hangs",
      screen.hangs(words.hangs),
      "Application Not Responding: com.whatsapp",
      blocked,
      [ANR],
    );
    over("locked", "The phone wants its PIN", screen.keyguard(), "NotificationShade", blocked, [
      "Ids of the keyguard: AOSP, packages/SystemUI",
    ]);
  }
  return [...all, ...singleDialogs()];
}

function singleDialogs(): CorpusEntry[] {
  const place: Place = { language: "en", android: "12" };
  const screen = screenOf(place);
  const { words } = screen;
  const chat = screen.chat({ title: TITLE, draft: words.draft, rows: [] });
  const home = window(place, "com.whatsapp.HomeActivity");
  const blocked: Verdict = { kind: "not_ready", reason: "phone_screen_blocked" };
  const still = (
    name: string,
    title: string,
    windows: RecordedNode[],
    inFront: string,
    verdict: Verdict,
    sources = [HYSUREN],
  ) =>
    entry(`dialog_en_${name}`, place, {
      title,
      sources,
      shots: [{ asked: "open_chat", windows, window: inFront }],
      verdict,
    });
  const dialog = (text: string, buttons = [words.ok]) => screen.dialog({ text, buttons });
  return [
    still(
      "logged_out",
      "The number was registered elsewhere",
      dialog(
        "Your phone number is no longer registered with WhatsApp on this phone. This might be because you registered it on another phone.\n\nIf you didn't do this, verify your phone number to log back into your account.",
      ),
      home,
      { kind: "lost", state: "logged_out" },
    ),
    still(
      "logout_activity",
      "The app's own page after a logout",
      screen.page("title", "You have been logged out", ["submit", words.ok]),
      window(place, "com.whatsapp.loginfailure.LogoutMessageActivity"),
      { kind: "lost", state: "logged_out" },
    ),
    still(
      "number_banned",
      "The registration refuses a banned number",
      dialog(`${TITLE}\n\nis banned from using WhatsApp. Contact support for help.`),
      home,
      { kind: "lost", state: "banned" },
    ),
    still(
      "cannot_look_up",
      "The app could not look the number up",
      dialog(`Couldn't look up phone number ${TITLE}. Try again later.`),
      home,
      blocked,
    ),
    still(
      "no_connection",
      "The app has no connection",
      dialog(
        "Unable to connect. Please check that you are connected to the Internet and try again.",
      ),
      home,
      blocked,
    ),
    still(
      "other_number_not_on_app",
      "The dialog of the number before",
      dialog(words.notOnApp(OTHER)),
      home,
      blocked,
    ),
    still(
      "default_sms",
      "The question for the default SMS app, with the chat beneath",
      screen.dialog({
        text: "Make WhatsApp your default SMS app?",
        buttons: [words.ok, words.cancel],
        beneath: chat,
      }),
      window(place, "com.whatsapp.registration.SmsDefaultAppWarning"),
      blocked,
      [
        "SmsDefaultAppWarning is no logout: our facts of public projects",
      ],
    ),
    still(
      "crashed",
      "Android says that the app has stopped",
      screen.hangs("WhatsApp has stopped"),
      "Application Error: com.whatsapp",
      blocked,
      [ANR],
    ),
    entry("dialog_en_android_9_contacts", { ...place, android: "9" }, {
      title: "Android 9 asks for the contacts",
      sources: [
        "com.google.android.packageinstaller before Android 10: AOSP, packages/apps/PackageInstaller",
      ],
      shots: [{
        asked: "open_chat",
        windows: screen.permission(words.contacts, ["Allow", "Deny"], "packageinstaller"),
        window:
          "com.google.android.packageinstaller/com.android.packageinstaller.permission.ui.GrantPermissionsActivity",
      }],
      verdict: blocked,
    }),
    entry("dialog_en_backup_then_chat", place, {
      title: "The offer of a backup goes with the back key, and the chat opens",
      sources: [HYSUREN, PUMA],
      shots: [
        { asked: "open_chat", windows: dialog(words.backup, [words.ok, words.notNow]), window: home },
        { asked: "back", windows: null, window: null },
        { asked: "read", windows: screen.home(), window: home },
        { asked: "open_chat", windows: chat, window: window(place, CONVERSATION) },
      ],
      verdict: { kind: "ready" },
    }),
    ...Object.entries({ name: "Dana Levi", other_number: OTHER, chats: "5 chats", status: "My status" }).map((
      [name, receiver],
    ) =>
      entry(`dialog_en_share_${name}`, place, {
        title: `The question "send to …?" before a picture, with another receiver: ${
          name.replaceAll("_", " ")
        }`,
        sources: [PUMA, "A confirmation before sharing: our facts of public projects"],
        standing: "unseen",
        isPicture: true,
        shots: [
          {
            asked: "open_chat",
            windows: screen.chat({ title: TITLE, draft: "", rows: [] }),
            window: window(place, CONVERSATION),
          },
          {
            asked: "open_picture",
            windows: screen.dialog({ text: words.share(receiver), buttons: [words.ok, words.cancel] }),
            window: home,
          },
        ],
        verdict: blocked,
      })
    ),
    ...Object.entries({
      title: { title: "Send to Dana Levi" },
      row: { row: "Dana Levi" },
      row_number: { row: OTHER },
      delete: { ok: "Delete" },
      block: { ok: "Block" },
    }).map(([name, { ok = words.ok, ...beside }]: [string, { ok?: string; title?: string; row?: string }]) =>
      entry(`dialog_en_share_beside_${name}`, place, {
        title: `The question "send to …?" with our number, contradicted beside it: ${
          name.replaceAll("_", " ")
        }`,
        sources: [PUMA, "A confirmation before sharing: our facts of public projects"],
        standing: "unseen",
        isPicture: true,
        shots: [
          {
            asked: "open_chat",
            windows: screen.chat({ title: TITLE, draft: "", rows: [] }),
            window: window(place, CONVERSATION),
          },
          {
            asked: "open_picture",
            windows: screen.dialog({ text: words.share(TITLE), buttons: [ok, words.cancel], ...beside }),
            window: home,
          },
        ],
        verdict: blocked,
      })
    ),
    ...Object.entries({
      block: `Block ${TITLE}?`,
      report: `Report ${TITLE}?`,
      call: `Call ${TITLE}?`,
      delete_chat: `Delete chat with ${TITLE}?`,
      he_block: `לחסום את ${TITLE}?`,
      he_report: `לדווח על ${TITLE}?`,
      he_call: `להתקשר אל ${TITLE}?`,
      he_delete_chat: `למחוק את הצ'אט עם ${TITLE}?`,
    }).map(([name, text]) =>
      entry(`dialog_en_asks_${name}`, place, {
        title: `Another question about our number before a picture: ${name.replaceAll("_", " ")}`,
        sources: [PUMA, ALERT],
        standing: "unseen",
        isPicture: true,
        shots: [
          {
            asked: "open_chat",
            windows: screen.chat({ title: TITLE, draft: "", rows: [] }),
            window: window(place, CONVERSATION),
          },
          {
            asked: "open_picture",
            windows: screen.dialog({ text, buttons: [words.ok, words.cancel] }),
            window: home,
          },
        ],
        verdict: { kind: "unknown_screen" },
      })
    ),
    still(
      "not_on_app_invites",
      "A number that is not on the app, with a button that invites it",
      screen.dialog({ text: words.notOnApp(TITLE), buttons: ["Invite", words.cancel] }),
      home,
      { kind: "not_on_app" },
      [ALERT],
    ),
    still(
      "share_over_text",
      'The question "send to …?" over the chat of a text',
      screen.dialog({ text: words.share(TITLE), buttons: [words.ok, words.cancel], beneath: chat }),
      home,
      blocked,
      [ALERT],
    ),
    entry("dialog_en_share", place, {
      title: 'The question "send to …?" before a picture',
      sources: [PUMA, "A confirmation before sharing: our facts of public projects"],
      isPicture: true,
      shots: [
        {
          asked: "open_chat",
          windows: screen.chat({ title: TITLE, draft: "", rows: [] }),
          window: window(place, CONVERSATION),
        },
        {
          asked: "open_picture",
          windows: screen.dialog({ text: words.share(TITLE), buttons: [words.ok, words.cancel] }),
          window: home,
        },
        { asked: "press", windows: null, window: null },
        {
          asked: "read",
          windows: screen.picture({ receiver: TITLE, caption: words.draft }),
          window: window(place, COMPOSER),
        },
      ],
      verdict: { kind: "ready" },
    }),
  ];
}

/** What phones do beside their screens. */
function phones(): CorpusEntry[] {
  const place: Place = { language: "he", android: "14" };
  const screen = screenOf(place);
  const { words } = screen;
  const chat = screen.chat({ title: TITLE, draft: words.draft, rows: [] });
  const echo = { text: words.draft, time: "14:32", isOwn: false };
  const echoed = screen.chat({ title: TITLE, draft: "", rows: [echo] });
  const inFront = window(place, CONVERSATION);
  const idle = 'uiautomator says "could not get idle state": github.com/mobile-next/mobilewright, issue 117';
  return [
    entry("phone_he_no_dump_at_first", place, {
      title: "A moving screen makes no dump at first",
      sources: [idle],
      shots: [
        { asked: "open_chat", windows: null, window: inFront },
        { asked: "read", windows: chat, window: inFront },
      ],
      verdict: { kind: "ready" },
    }),
    entry("phone_he_no_dump", place, {
      title: "The screen never makes a dump",
      sources: [idle],
      shots: [{ asked: "open_chat", windows: null, window: inFront }],
      verdict: { kind: "not_ready", reason: "chat_not_opened" },
    }),
    entry("phone_he_between_windows", place, {
      title: "The focus is between two windows at first",
      sources: ["mCurrentFocus=null during a change: our facts of public projects"],
      shots: [
        { asked: "open_chat", windows: chat, window: null },
        { asked: "read", windows: chat, window: inFront },
      ],
      verdict: { kind: "ready" },
    }),
    entry("phone_he_start_refused", place, {
      title: "am start fails three times",
      sources: [
        "am start exits with 1 for an activity that is not there: AOSP, ActivityManagerShellCommand.java",
      ],
      shots: [1, 2, 3].map(() => ({ asked: "open_chat" as const, windows: null, window: null, exitCode: 1 })),
      verdict: { kind: "not_ready", reason: "chat_not_opened" },
    }),
    entry("phone_he_tap_without_row", place, {
      title: "After the tap the chat is as before: the draft is deleted, and the message was not sent",
      sources: ["A tap under a dialog returns 0 and does nothing: our facts of public projects"],
      shots: [
        { asked: "open_chat", windows: chat, window: inFront },
        { asked: "tap", windows: null, window: null },
        ...[1, 2, 3, 4, 5].map(() => ({ asked: "read" as const, windows: chat, window: inFront })),
        { asked: "open_chat", windows: chat, window: inFront },
        { asked: "open_chat", windows: chat, window: inFront },
        { asked: "clear_draft", windows: null, window: null },
      ],
      verdict: { kind: "not_ready", reason: "send_not_verified" },
    }),
    entry("phone_he_tap_echoed", place, {
      title:
        "After the tap the box is empty, and the only row with our words is the other person's: it proves nothing",
      sources: [PUMA, "Only own messages have delivery ticks: our facts of public projects"],
      standing: "unseen",
      shots: [
        { asked: "open_chat", windows: chat, window: inFront },
        { asked: "tap", windows: null, window: null },
        ...[1, 2, 3, 4, 5].map(() => ({ asked: "read" as const, windows: echoed, window: inFront })),
        { asked: "open_chat", windows: echoed, window: inFront },
        { asked: "open_chat", windows: echoed, window: inFront },
      ],
      verdict: { kind: "doubt" },
    }),
  ];
}
