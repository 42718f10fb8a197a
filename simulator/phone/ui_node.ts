/** Corners in pixels, in uiautomator's form. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** One view on a phone's screen: its facts in a dump, and the effect of a tap on it. */
export interface UiNode {
  id: string;
  text: string;
  description: string;
  className: string;
  app: string;
  bounds: Bounds;
  children: UiNode[];
  onTap?: () => void;
}

/** A whole window. A modal window also takes taps outside its bounds. */
export interface UiWindow {
  root: UiNode;
  isModal: boolean;
  /** Called on a tap beside a modal window. */
  onTapOutside?: () => void;
}

/** Makes a node of an app. Guesses the class from the node's abilities if it is not given. */
export function uiNode(app: string, id: string, bounds: Bounds, rest: Partial<UiNode> = {}): UiNode {
  const className = rest.text === undefined ? "android.view.ViewGroup" : "android.widget.TextView";
  return { id, app, bounds, text: "", description: "", className, children: [], ...rest };
}

/** Makes bounds from the order in which uiautomator writes them. */
export function box(left: number, top: number, right: number, bottom: number): Bounds {
  return { left, top, right, bottom };
}

/**
 * Runs a tap at a point. Only the topmost (last) window that takes the tap gets it. Returns false when nothing was hit.
 */
export function tapWindows(windows: UiWindow[], x: number, y: number): boolean {
  for (const window of windows.toReversed()) {
    if (contains(window.root.bounds, x, y)) {
      const target = tapTarget(window.root, x, y);
      target?.onTap?.();
      return target !== null;
    }
    if (window.isModal) {
      window.onTapOutside?.();
      return window.onTapOutside !== undefined;
    }
  }
  return false;
}

/** Returns the XML of a uiautomator dump, windows in the given order. */
export function dumpXml(windows: UiWindow[]): string {
  const nodes = windows.map(({ root }, index) => nodeXml(root, index)).join("");
  return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">${nodes}</hierarchy>`;
}

/** Returns a window whose nodes have other ids of their app, as after an update that moved them. */
export function withMovedIds(window: UiWindow): UiWindow {
  return { ...window, root: moved(window.root) };
}

/** "com.whatsapp:id/entry" → "com.whatsapp:id/entry_n". Ids of Android stay. */
function moved(node: UiNode): UiNode {
  const isOwn = node.id.startsWith("com.whatsapp");
  return { ...node, id: isOwn ? `${node.id}_n` : node.id, children: node.children.map(moved) };
}

function contains({ left, top, right, bottom }: Bounds, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}

function tapTarget(node: UiNode, x: number, y: number): UiNode | null {
  if (!contains(node.bounds, x, y)) return null;
  for (const child of node.children.toReversed()) {
    const target = tapTarget(child, x, y);
    if (target) return target;
  }
  return node.onTap ? node : null;
}

function nodeXml(node: UiNode, index: number): string {
  const { left, top, right, bottom } = node.bounds;
  const isClickable = node.onTap !== undefined;
  const attributes = ` index="${index}" text="${escapeXml(node.text)}" resource-id="${node.id}"` +
    ` class="${node.className}" package="${node.app}" content-desc="${escapeXml(node.description)}"` +
    ` checkable="false" checked="false" clickable="${isClickable}" enabled="true" focusable="${isClickable}"` +
    ` focused="false" scrollable="false" long-clickable="false" password="false" selected="false"` +
    ` bounds="[${left},${top}][${right},${bottom}]"`;
  if (node.children.length === 0) return `<node${attributes} />`;
  return `<node${attributes}>${node.children.map(nodeXml).join("")}</node>`;
}

// Android's serializer writes newlines and everything outside the basic plane as decimal references.
function escapeXml(text: string): string {
  return text.replace(/[&<>"\n\r\t]|[\u{10000}-\u{10ffff}]/gu, (char) => {
    switch (char) {
      case "&":
        return "&amp;";
      case "<":
        return "&lt;";
      case ">":
        return "&gt;";
      case '"':
        return "&quot;";
      default:
        return `&#${char.codePointAt(0)};`;
    }
  });
}
