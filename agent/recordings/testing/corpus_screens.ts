/** The screens of the corpus as trees: ids and classes from the sources, places as on the screens of such phones. */
import type { RecordedNode } from "../recording.ts";
import { type CorpusLanguage, type CorpusWords, WORDS } from "./corpus_words.ts";

export interface Device {
  width: number;
  height: number;
  language: CorpusLanguage;
  app: string;
  /** Where the pane of the chat begins on a tablet; 0 = the whole screen. */
  paneLeft?: number;
}

export interface Row {
  text: string;
  time: string;
  isOwn: boolean;
  quoted?: string;
}

/** Words beside the rows of a chat: of people, except for the subtitle and the date. */
export interface Beside {
  /** Under the title, in its bar. */
  subtitle?: string;
  /** A pinned message under the bar. */
  pinned?: string;
  /** The date that floats over the rows. */
  floating?: string;
  /** The title of a link's preview, over the box. */
  preview?: string;
  /** The message that is answered, over the box. */
  answered?: string;
}

type Box = [number, number, number, number];
type Rest = Partial<Omit<RecordedNode, "id" | "class" | "app" | "box">>;

/** Draws with thousandths of a pane, mirrored in languages that run from right to left. */
export class Screen {
  readonly words: CorpusWords;

  constructor(readonly device: Device) {
    this.words = WORDS[device.language];
  }

  /** A node at thousandths of its pane: left, top, right, bottom. */
  node(className: string, id: string, at: Box, rest: Rest = {}): RecordedNode {
    const full = id === "" || id.includes(":") ? id : `${this.device.app}:id/${id}`;
    return {
      ...(full === "" ? {} : { id: full }),
      class: className.includes(".") ? className : `android.widget.${className}`,
      app: this.device.app,
      ...rest,
      is: [...(rest.is ?? []), "enabled"],
      box: this.box(at),
    };
  }

  button(className: string, id: string, at: Box, description: string): RecordedNode {
    return this.node(className, id, at, { description, is: ["clickable", "focusable"] });
  }

  box([left, top, right, bottom]: Box): Box {
    const { width, height, language, paneLeft = 0 } = this.device;
    const isMirrored = language === "he" || language === "ar";
    const pane = width - paneLeft;
    const x = (part: number) => Math.round(pane * part / 1_000);
    const y = (part: number) => Math.round(height * part / 1_000);
    const [from, to] = [paneLeft + x(left), paneLeft + x(right)];
    return isMirrored ? [width - to, y(top), width - from, y(bottom)] : [from, y(top), to, y(bottom)];
  }

  whole(nodes: RecordedNode[]): RecordedNode[] {
    const { width, height, app } = this.device;
    return [{ class: "android.widget.FrameLayout", app, is: ["enabled"], box: [0, 0, width, height], nodes }];
  }

  chat(
    chat: {
      title: string;
      draft: string;
      rows: Row[];
      sendId?: string;
      hint?: boolean;
      beside?: Beside | undefined;
    },
  ): RecordedNode[] {
    return this.whole([...this.#chats(), this.#chatPane(chat)]);
  }

  #chatPane({ title, draft, rows, sendId = "send", hint = false, beside = {} }: {
    title: string;
    draft: string;
    rows: Row[];
    sendId?: string;
    hint?: boolean;
    beside?: Beside | undefined;
  }): RecordedNode {
    const { words } = this;
    const end: Box = [880, 900, 990, 960];
    const button = draft === ""
      ? this.button("ImageButton", "voice_note_btn", end, words.voice)
      : this.button("ImageButton", sendId, end, words.send);
    return this.node("LinearLayout", "conversation_root_layout", [0, 30, 1000, 970], {
      nodes: [
        this.node("android.view.ViewGroup", "toolbar", [0, 30, 1000, 95], {
          nodes: [
            this.button("LinearLayout", "whatsapp_toolbar_home", [0, 35, 180, 90], words.up),
            this.node("LinearLayout", "conversation_contact", [180, 32, 700, 92], {
              is: ["clickable", "focusable"],
              nodes: [
                this.node("TextView", "conversation_contact_name", [190, 38, 690, 65], { text: title }),
                ...this.#text(beside.subtitle, "conversation_contact_status", [190, 66, 690, 90]),
              ],
            }),
            this.button("ImageButton", "voice_call", [700, 35, 840, 90], words.voiceCall),
            this.button("ImageView", "menuitem_overflow", [860, 35, 990, 90], words.more),
          ],
        }),
        ...this.#panel(
          "pinned_message_banner",
          [0, 95, 1000, 135],
          this.#text(beside.pinned, "pinned_message_text", [60, 98, 900, 132]),
        ),
        this.node("ListView", "android:id/list", [0, 95, 1000, 890], {
          is: ["scrollable", "focusable"],
          nodes: [
            this.node("TextView", "conversation_row_date_divider", [400, 100, 600, 130], {
              text: words.today,
            }),
            ...rows.map((row, at) => this.row(row, 140 + at * 110)),
          ],
        }),
        ...this.#text(beside.floating, "floating_date", [400, 140, 600, 165]),
        this.node("LinearLayout", "footer", [0, 890, 1000, 970], {
          nodes: [
            ...this.#panel(
              "link_preview_frame",
              [10, 820, 870, 855],
              this.#text(beside.preview, "title", [30, 822, 800, 852]),
            ),
            ...this.#panel(
              "quoted_message_preview",
              [10, 856, 870, 890],
              this.#text(beside.answered, "quoted_text", [30, 858, 800, 888]),
            ),
            this.node("LinearLayout", "input_layout", [10, 895, 870, 965], {
              nodes: [
                this.button("ImageButton", "emoji_picker_btn", [15, 900, 115, 960], words.emoji),
                this.node("EditText", "entry", [120, 897, 660, 963], {
                  text: draft === "" && !hint ? words.message : draft,
                  ...(hint ? { hint: words.message } : {}),
                  is: ["clickable", "focusable", "focused", "long-clickable"],
                }),
                this.button("ImageButton", "input_attach_button", [670, 900, 765, 960], words.attach),
                this.button("ImageButton", "camera_btn", [770, 900, 865, 960], words.camera),
              ],
            }),
            button,
          ],
        }),
      ],
    });
  }

  #text(text: string | undefined, id: string, at: Box): RecordedNode[] {
    return text === undefined ? [] : [this.node("TextView", id, at, { text })];
  }

  #panel(id: string, at: Box, nodes: RecordedNode[]): RecordedNode[] {
    return nodes.length === 0 ? [] : [this.node("LinearLayout", id, at, { is: ["clickable"], nodes })];
  }

  row({ text, time, isOwn, quoted }: Row, top: number): RecordedNode {
    const [left, right] = isOwn ? [300, 980] : [20, 700];
    const date = this.node("TextView", "date", [right! - 200, top + 70, right! - 90, top + 90], {
      text: time,
    });
    const status = this.node("ImageView", "status", [right! - 80, top + 70, right! - 20, top + 90], {
      description: this.words.sent,
    });
    return this.node("FrameLayout", "conversation_text_row", [left!, top, right!, top + 100], {
      is: ["focusable", "long-clickable"],
      nodes: [
        ...(quoted === undefined ? [] : [
          this.node("TextView", "quoted_text", [left! + 20, top + 2, right! - 20, top + 22], {
            text: quoted,
          }),
        ]),
        this.node("TextView", "message_text", [left! + 20, top + 25, right! - 20, top + 65], { text }),
        this.node("LinearLayout", "date_wrapper", [right! - 220, top + 68, right! - 10, top + 95], {
          nodes: isOwn ? [date, status] : [date],
        }),
      ],
    });
  }

  /** The list of chats beside the chat, on a tablet. */
  #chats(): RecordedNode[] {
    const { paneLeft = 0, height, language, width } = this.device;
    if (paneLeft === 0) return [];
    const side = new Screen({ ...this.device, width: paneLeft, paneLeft: 0 });
    const isMirrored = language === "he" || language === "ar";
    const shift = isMirrored ? width - paneLeft : 0;
    const rows = ["+972 52-111-2233", "+972 54-555-1234"].map((name, at) =>
      side.node("RelativeLayout", "contact_row_container", [0, 120 + at * 100, 1000, 210 + at * 100], {
        is: ["clickable"],
        nodes: [
          side.node(
            "TextView",
            "conversations_row_contact_name",
            [200, 125 + at * 100, 980, 160 + at * 100],
            {
              text: name,
            },
          ),
          side.node("TextView", "single_msg_tv", [200, 165 + at * 100, 980, 205 + at * 100], {
            text: this.words.theirs,
          }),
        ],
      })
    );
    const list = side.node("androidx.recyclerview.widget.RecyclerView", "conversations_list", [
      0,
      100,
      1000,
      960,
    ], {
      is: ["scrollable"],
      nodes: rows,
    });
    const pane = side.node("FrameLayout", "conversation_list_pane", [0, 0, 1000, Math.min(1_000, height)], {
      nodes: [list],
    });
    return [shift === 0 ? pane : moved(pane, shift)];
  }

  picture({ receiver, caption, sendId = "send", receiverId = "recipients_text", described, more }: {
    receiver: string | null;
    caption: string;
    sendId?: string;
    receiverId?: string;
    /** What the frame around the receivers is said to be. */
    described?: string | undefined;
    /** A second receiver. */
    more?: string | undefined;
  }): RecordedNode[] {
    const { words } = this;
    return this.whole([
      this.node("RelativeLayout", "media_composer_root", [0, 0, 1000, 1000], {
        nodes: [
          this.node("ImageView", "media_content", [0, 80, 1000, 800], { description: words.camera }),
          this.button("ImageButton", "back", [0, 30, 150, 80], words.up),
          this.node("EditText", "caption", [130, 820, 850, 880], {
            text: caption === "" ? words.caption : caption,
            is: ["clickable", "focusable", "long-clickable"],
          }),
          this.button("ImageButton", "view_once_toggle", [860, 820, 980, 880], words.attach),
          ...(described === undefined ? [] : [
            this.node("LinearLayout", "recipients_view", [50, 905, 710, 965], { description: described }),
          ]),
          ...(receiver === null ? [] : [
            this.node("TextView", receiverId, [60, 910, more ? 480 : 700, 960], { text: receiver }),
          ]),
          ...this.#text(more, "recipients_more", [500, 910, 700, 960]),
          this.button("ImageButton", sendId, [870, 900, 990, 965], words.send),
        ],
      }),
    ]);
  }

  /** A dialog of the app. `beneath` stays in the dump under it. */
  dialog({ text, buttons, beneath = [], title, row }: {
    text: string;
    buttons: string[];
    beneath?: RecordedNode[];
    title?: string;
    /** A row with somebody's name under the message. */
    row?: string;
  }): RecordedNode[] {
    const ids = ["android:id/button1", "android:id/button2"];
    const dialog = this.node("FrameLayout", "android:id/content", [80, 400, 920, 600], {
      nodes: [
        this.node("LinearLayout", "android:id/parentPanel", [80, 400, 920, 600], {
          nodes: [
            ...(title === undefined
              ? []
              : [this.node("TextView", "android:id/alertTitle", [120, 405, 880, 440], { text: title })]),
            this.node("TextView", "android:id/message", [120, 440, 880, row ? 485 : 530], { text }),
            ...(row === undefined
              ? []
              : [this.node("TextView", "recipient_name", [120, 490, 880, 530], { text: row })]),
            this.node("ScrollView", "buttonPanel", [80, 540, 920, 595], {
              nodes: buttons.map((button, at) =>
                this.node("Button", ids[at]!, [660 - at * 280, 545, 900 - at * 280, 590], {
                  text: button,
                  is: ["clickable", "focusable"],
                })
              ),
            }),
          ],
        }),
      ],
    });
    return [...beneath, dialog];
  }

  /** A page of the app with one heading and one button: a notice, a ban, a registration. */
  page(headingId: string, text: string, button: [id: string, text: string]): RecordedNode[] {
    return this.whole([
      this.node("TextView", headingId, [60, 300, 940, 420], { text }),
      this.node("Button", button[0], [200, 850, 800, 920], {
        text: button[1],
        is: ["clickable", "focusable"],
      }),
    ]);
  }

  permission(text: string, buttons: string[], owner = "permissioncontroller"): RecordedNode[] {
    const app = `com.google.android.${owner}`;
    const ids = ["permission_allow_button", "permission_deny_button"];
    const nodes = [
      this.node("TextView", `com.android.${owner}:id/permission_message`, [100, 420, 900, 500], { text }),
      ...buttons.map((label, at) =>
        this.node("Button", `com.android.${owner}:id/${ids[at]}`, [100, 520 + at * 70, 900, 580 + at * 70], {
          text: label,
          is: ["clickable", "focusable"],
        })
      ),
    ];
    const box = this.box([80, 380, 920, 680]);
    const own = (node: RecordedNode): RecordedNode => ({ ...node, app });
    return [{ class: "android.widget.FrameLayout", app, is: ["enabled"], box, nodes: nodes.map(own) }];
  }

  hangs(text: string): RecordedNode[] {
    const own = (node: RecordedNode): RecordedNode => ({ ...node, app: "android" });
    return [{
      class: "android.widget.FrameLayout",
      app: "android",
      is: ["enabled"],
      box: this.box([80, 380, 920, 620]),
      nodes: [
        own(this.node("TextView", "android:id/alertTitle", [120, 400, 880, 450], { text })),
        own(
          this.node("Button", "android:id/aerr_close", [120, 470, 880, 530], {
            text: this.words.cancel,
            is: ["clickable"],
          }),
        ),
        own(
          this.node("Button", "android:id/aerr_wait", [120, 540, 880, 600], {
            text: this.words.ok,
            is: ["clickable"],
          }),
        ),
      ],
    }];
  }

  keyguard(): RecordedNode[] {
    const app = "com.android.systemui";
    const text = this.words.pin;
    return [{
      class: "android.widget.FrameLayout",
      app,
      is: ["enabled"],
      box: this.box([0, 0, 1000, 1000]),
      nodes: [{
        ...this.node("TextView", `${app}:id/keyguard_message_area`, [100, 300, 900, 340], { text }),
        app,
      }],
    }];
  }

  /** The list of chats, or any screen of the app that is no chat. */
  home(): RecordedNode[] {
    return this.whole([
      this.node("ImageView", "toolbar_logo", [30, 40, 400, 90], { description: "WhatsApp" }),
      this.node("androidx.recyclerview.widget.RecyclerView", "android:id/list", [0, 120, 1000, 900], {
        is: ["scrollable"],
        nodes: [
          this.node("TextView", "conversations_row_contact_name", [200, 130, 900, 170], {
            text: "+972 54-555-1234",
          }),
        ],
      }),
    ]);
  }
}

function moved(node: RecordedNode, by: number): RecordedNode {
  const [left, top, right, bottom] = node.box!;
  return {
    ...node,
    box: [left + by, top, right + by, bottom],
    ...(node.nodes ? { nodes: node.nodes.map((each) => moved(each, by)) } : {}),
  };
}
