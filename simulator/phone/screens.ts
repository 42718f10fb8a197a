import type { ChatRow, MessagingApp } from "./messaging_app.ts";
import { displayNumber } from "./phone_number.ts";
import { type ScreenWords, wordsOf } from "./screen_words.ts";
import { box, type UiNode, uiNode, type UiWindow } from "./ui_node.ts";
import type { Dialog, Screen, VirtualPhone } from "./virtual_phone.ts";

const WIDTH = 1080;
const HEIGHT = 2400;
const FULL = box(0, 0, WIDTH, HEIGHT);
const PERMISSIONS = "com.google.android.permissioncontroller";
const PAGE_VIEWER = "com.android.htmlviewer";
const ROWS_IN_SIGHT = 8;
const ROW_HEIGHT = 220;
const ROWS_BOTTOM = 2150;
// The app hides the rest of longer messages under "Read more".
const FOLD_AFTER_CHARACTERS = 768;
const clockTime = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Asia/Jerusalem",
});

/** Returns the windows on a phone's screen, the topmost last; none while it is dark. */
export function windowsOf(phone: VirtualPhone): UiWindow[] {
  if (!phone.isAwake) return [];
  if (phone.isLocked) return [{ root: keyguard(phone), isModal: true }];
  if (phone.player) return phone.player.windows((number, text) => phone.sendPlayed(number, text));
  if (phone.page !== null) return [{ root: uiNode(PAGE_VIEWER, "", FULL, {}), isModal: true }];
  const words = wordsOf(phone.language);
  const screen: UiWindow = { root: screenNode(phone, phone.screen, words), isModal: false };
  return phone.dialog ? [screen, dialogWindow(phone, phone.dialog, words)] : [screen];
}

/** Returns the foreground activity in the form of `dumpsys window`. */
export function activityOf(phone: VirtualPhone): string {
  const { screen, accountInFront } = phone;
  if (phone.page !== null) return `${PAGE_VIEWER}/.HTMLViewerActivity`;
  if (!accountInFront) return "com.google.android.apps.nexuslauncher/.NexusLauncherActivity";
  if (phone.dialog?.kind === "smsDefault") {
    return `${phone.dialog.account.traits.app}/com.whatsapp.registration.SmsDefaultAppWarning`;
  }
  if (phone.dialog?.kind === "permission") {
    return `${PERMISSIONS}/com.android.permissioncontroller.permission.ui.GrantPermissionsActivity`;
  }
  if (phone.dialog?.kind === "notResponding") {
    return `Application Not Responding: ${phone.dialog.account.traits.app}`;
  }
  const { traits: { app }, state } = accountInFront;
  if (state === "loggedOut") return `${app}/com.whatsapp.registration.RegisterPhone`;
  if (state === "banned") return `${app}/com.whatsapp.userban.ui.BanAppealActivity`;
  if (screen.kind === "chat") return `${app}/com.whatsapp.Conversation`;
  if (screen.kind === "picture") return `${app}/com.whatsapp.mediacomposer.MediaComposerActivity`;
  return `${app}/com.whatsapp.home.ui.HomeActivity`;
}

function screenNode(phone: VirtualPhone, screen: Screen, words: ScreenWords): UiNode {
  if (screen.kind === "home") return homeNode(phone);
  const { account } = screen;
  if (account.state !== "ok") return blockedNode(account, words);
  if (screen.kind === "chats") return chatsNode(phone, account);
  if (screen.kind === "chat") return chatNode(phone, screen, words);
  return pictureNode(phone, screen, words);
}

function keyguard(phone: VirtualPhone): UiNode {
  const text = phone.wantsPin ? wordsOf(phone.language).enterPin : "";
  const app = "com.android.systemui";
  return uiNode(app, "", FULL, {
    children: [uiNode(app, `${app}:id/keyguard_message_area`, box(0, 900, WIDTH, 1000), { text })],
  });
}

function homeNode(phone: VirtualPhone): UiNode {
  const icons = phone.accounts.map((account, index) =>
    uiNode(
      "com.google.android.apps.nexuslauncher",
      "",
      box(60 + index * 250, 1900, 280 + index * 250, 2120),
      {
        text: account.traits.app === "com.whatsapp" ? "WhatsApp" : "WA Business",
        onTap: () => phone.show({ kind: "chats", account }),
      },
    )
  );
  return uiNode("com.google.android.apps.nexuslauncher", "", FULL, { children: icons });
}

function blockedNode({ state, traits: { app } }: MessagingApp, words: ScreenWords): UiNode {
  if (state === "loggedOut") {
    const title = uiNode(app, `${app}:id/register_phone_toolbar_title`, box(40, 100, 1040, 220), {
      text: words.verify,
    });
    return uiNode(app, "", FULL, { children: [title] });
  }
  const text = state === "banned" ? words.banned : words.restricted;
  const heading = uiNode(app, `${app}:id/heading`, box(40, 900, 1040, 1100), { text });
  return uiNode(app, "", FULL, { children: [heading] });
}

function chatsNode(phone: VirtualPhone, account: MessagingApp): UiNode {
  const { app } = account.traits;
  const rows = account.chats.toReversed().slice(0, ROWS_IN_SIGHT).map((number, index) => {
    const top = 300 + index * 200;
    const onTap = () => phone.show({ kind: "chat", account, number });
    const name = uiNode(app, `${app}:id/conversations_row_contact_name`, box(200, top, 1040, top + 90), {
      text: chatTitle(phone, number),
    });
    const preview = uiNode(app, `${app}:id/single_msg_tv`, box(200, top + 95, 1040, top + 180), {
      text: account.visibleRows(number, 1)[0]?.text ?? "",
    });
    return uiNode(app, `${app}:id/contact_row_container`, box(0, top, WIDTH, top + 190), {
      onTap,
      children: [name, preview],
    });
  });
  const logo = uiNode(app, `${app}:id/toolbar_logo`, box(40, 100, 400, 200), { description: "WhatsApp" });
  return uiNode(app, "", FULL, { children: [logo, ...rows] });
}

function chatNode(phone: VirtualPhone, screen: Screen & { kind: "chat" }, words: ScreenWords): UiNode {
  const { account, number } = screen;
  const { app } = account.traits;
  const draft = account.drafts.get(number) ?? "";
  const rows = account.visibleRows(number, ROWS_IN_SIGHT);
  const button = draft === ""
    ? uiNode(app, `${app}:id/voice_note_btn`, box(920, 2200, 1060, 2340), { description: words.voiceMessage })
    : uiNode(app, `${app}:id/send`, box(920, 2200, 1060, 2340), {
      description: words.send,
      onTap: () => phone.send(),
    });
  return uiNode(app, `${app}:id/conversation_root_layout`, FULL, {
    children: [
      title(phone, app, number),
      uiNode(app, "android:id/list", box(0, 250, WIDTH, ROWS_BOTTOM), {
        children: rows.map((row, index) =>
          rowNode(phone, account, row, ROWS_BOTTOM - (rows.length - index) * ROW_HEIGHT, words)
        ),
      }),
      // An empty box reports its hint as its text, as in Android's accessibility tree.
      uiNode(app, `${app}:id/entry`, box(140, 2200, 900, 2340), {
        text: draft === "" ? words.message : draft,
        className: "android.widget.EditText",
        onTap: () => void (phone.behindCursor = Math.floor([...draft].length / 2)),
      }),
      button,
    ],
  });
}

function title(phone: VirtualPhone, app: string, number: string): UiNode {
  const back = uiNode(app, `${app}:id/back`, box(0, 80, 120, 230), { onTap: () => phone.back() });
  const name = uiNode(app, `${app}:id/conversation_contact_name`, box(240, 100, 800, 200), {
    text: chatTitle(phone, number),
  });
  return uiNode(app, `${app}:id/toolbar`, box(0, 80, WIDTH, 230), { children: [back, name] });
}

/** Returns a chat's title: the name that the phone knows, or the number. */
export function chatTitle(phone: VirtualPhone, number: string): string {
  if (phone.context.liar.liesAbout("nameTitle", number)) return "דנה";
  return phone.traits.contacts[number] ?? displayNumber(number);
}

function rowNode(
  phone: VirtualPhone,
  account: MessagingApp,
  row: ChatRow,
  top: number,
  words: ScreenWords,
): UiNode {
  const { app } = account.traits;
  const bottom = top + ROW_HEIGHT - 20;
  const text = shownText(row.text, words);
  const parts: UiNode[] = [];
  if (row.quoted !== null) {
    parts.push(
      uiNode(app, `${app}:id/quoted_text`, box(360, top, 1000, top + 80), { text: row.quoted }),
    );
  }
  if (row.image !== null) {
    parts.push(uiNode(app, `${app}:id/image`, box(360, top, 1000, top + 80), { description: words.photo }));
  }
  if (text !== "") {
    const id = row.image === null ? "message_text" : "caption";
    parts.push(uiNode(app, `${app}:id/${id}`, box(360, top + 80, 1000, top + 140), { text }));
  }
  const date = uiNode(app, `${app}:id/date`, box(700, top + 140, 880, bottom), {
    text: clockTime.format(row.at),
  });
  const status = uiNode(app, `${app}:id/status`, box(900, top + 140, 1000, bottom), {
    className: "android.widget.ImageView",
    description: phone.context.liar.liesAbout("tickPending", `${row.at}`)
      ? words.pending
      : words[account.tickOf(row)],
  });
  parts.push(uiNode(app, `${app}:id/date_wrapper`, box(700, top + 140, 1000, bottom), {
    children: row.isIncoming ? [date] : [date, status],
  }));
  return uiNode(app, `${app}:id/conversation_text_row`, box(340, top, 1020, bottom), { children: parts });
}

/**
 * Returns a text as a row shows it. Outer blanks and marks of *bold*, _italic_, ~struck~, lists and quotations are
 * gone, and the tail of a long text is folded.
 */
function shownText(text: string, words: ScreenWords): string {
  const plain = text.trim().replace(/^[-*>] (?=\S)/gm, "")
    .replace(/(^|\s)([*_~])(\S(?:[^\n]*?\S)?)\2(?=\s|$)/gm, "$1$3");
  const characters = [...plain];
  if (characters.length <= FOLD_AFTER_CHARACTERS) return plain;
  return `${characters.slice(0, FOLD_AFTER_CHARACTERS).join("")}… ${words.readMore}`;
}

function pictureNode(phone: VirtualPhone, screen: Screen & { kind: "picture" }, words: ScreenWords): UiNode {
  const { app } = screen.account.traits;
  return uiNode(app, `${app}:id/media_composer_root`, FULL, {
    children: [
      uiNode(app, `${app}:id/media_content`, box(0, 200, WIDTH, 2000), { description: words.photo }),
      uiNode(app, `${app}:id/caption`, box(140, 2050, 940, 2170), {
        text: screen.caption === "" ? words.caption : screen.caption,
        className: "android.widget.EditText",
        onTap: () => {},
      }),
      uiNode(app, `${app}:id/recipients_text`, box(60, 2200, 800, 2340), {
        text: chatTitle(phone, screen.number),
      }),
      uiNode(app, `${app}:id/send`, box(920, 2200, 1060, 2340), {
        description: words.send,
        onTap: () => phone.send(),
      }),
    ],
  });
}

function dialogWindow(phone: VirtualPhone, dialog: Dialog, words: ScreenWords): UiWindow {
  const dismiss = () => void (phone.dialog = null);
  const press = dialog.kind === "smsDefault" && dialog.sticks ? () => {} : dismiss;
  if (dialog.kind === "chooser") {
    const options = dialog.accounts.map((account, index) =>
      uiNode("android", "android:id/text1", box(60, 1900 + index * 150, 1020, 2040 + index * 150), {
        text: account.key,
        onTap: () => {
          dismiss();
          phone.show({ kind: "chats", account });
        },
      })
    );
    const heading = uiNode("android", "android:id/title", box(60, 1750, 1020, 1880), {
      text: words.openWith,
    });
    const root = uiNode("android", "", box(0, 1700, WIDTH, HEIGHT), { children: [heading, ...options] });
    return { root, isModal: true, onTapOutside: dismiss };
  }
  if (dialog.kind === "permission" || dialog.kind === "notResponding") {
    return { root: systemNode(dialog.kind, words), isModal: true };
  }
  const { app } = dialog.account.traits;
  const message = uiNode(app, "android:id/message", box(140, 1000, 940, 1180), {
    text: messageOf(phone, dialog, words),
  });
  const ok = uiNode(app, "android:id/button1", box(700, 1220, 940, 1340), {
    text: words.ok,
    className: "android.widget.Button",
    onTap: () => {
      press();
      if (dialog.kind === "shareConfirm") phone.show(dialog.next);
    },
  });
  const cancel = uiNode(app, "android:id/button2", box(420, 1220, 660, 1340), {
    text: words.cancel,
    className: "android.widget.Button",
    onTap: press,
  });
  const children = dialog.kind === "notOnApp" ? [message, ok] : [message, cancel, ok];
  const root = uiNode(app, "android:id/content", box(100, 960, 980, 1380), { children });
  return { root, isModal: true, ...(dialog.kind === "smsDefault" ? { onTapOutside: dismiss } : {}) };
}

/** Makes a node of one of Android's own dialogs. Its message and button have ids other than those of an app. */
function systemNode(kind: "permission" | "notResponding", words: ScreenWords): UiNode {
  const [app, id] = kind === "permission"
    ? [PERMISSIONS, "com.android.permissioncontroller:id/permission_message"]
    : ["android", "android:id/alertTitle"];
  const text = kind === "permission" ? words.mayNotify : words.notResponding;
  return uiNode(app, "", box(100, 960, 980, 1380), {
    children: [uiNode(app, id, box(140, 1000, 940, 1180), { text })],
  });
}

function messageOf(
  phone: VirtualPhone,
  dialog: Extract<Dialog, { kind: "notOnApp" | "shareConfirm" | "smsDefault" | "news" }>,
  words: ScreenWords,
): string {
  if (dialog.kind === "notOnApp") return words.notOnApp(displayNumber(dialog.number));
  if (dialog.kind === "shareConfirm") return words.shareWith(chatTitle(phone, dialog.number));
  return dialog.kind === "news" ? words.news : words.smsDefault;
}
