import * as Radix from "@radix-ui/react-toast";
import { CircleCheck, CircleX, Send, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { SHELL } from "../text/shell.ts";
import { dismissToast, readToasts, shownFor, subscribeToasts, type Toast } from "./toast_store.ts";

const SWIPE_THRESHOLD_PX = 50;

/** The notification region where no control is, first at the bottom right; a swipe to the right dismisses a toast. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, readToasts);
  return (
    <Radix.Provider
      label={SHELL.toast}
      swipeDirection="right"
      swipeThreshold={SWIPE_THRESHOLD_PX}
    >
      {toasts.map((toast) => <ToastCard key={toast.id} toast={toast} />)}
      <Radix.Viewport
        label={SHELL.toasts}
        id="toasts"
        className="fixed start-0 bottom-0 z-50 flex w-full max-w-[26rem] flex-col gap-2.5 p-4"
      />
    </Radix.Provider>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={(open) => open || dismissToast(toast.id)}
      duration={shownFor(toast)}
      type={toast.tone === "bad" ? "foreground" : "background"}
      className={`toast-card tone-${toast.tone}`}
    >
      <ToneIcon tone={toast.tone} />
      <div className="min-w-0 grow">
        <Radix.Title className="font-bold">{toast.title}</Radix.Title>
        {toast.description && (
          <Radix.Description className="text-sm text-ink-2">{toast.description}</Radix.Description>
        )}
      </div>
      <Radix.Close className="btn btn-ghost btn-square btn-sm -me-2 -mt-1" aria-label={SHELL.closeToast}>
        <X className="size-4" />
      </Radix.Close>
    </Radix.Root>
  );
}

const ICONS = { bad: CircleX, ok: CircleCheck, live: Send };

function ToneIcon({ tone }: { tone: Toast["tone"] }) {
  const Icon = ICONS[tone];
  // The plane flies to the left, where Hebrew goes on; the other two look the same from both sides.
  return <Icon className={`mt-0.5 size-5 text-tone ${tone === "live" ? "-scale-x-100" : ""}`} />;
}
