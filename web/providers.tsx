import { lazy, type ReactNode, Suspense } from "react";

const Toasts = lazy(async () => ({ default: (await import("./ui/toasts.tsx")).Toasts }));

/** What every screen has around it: the notification region, which arrives after the screen itself. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <Suspense>
        <Toasts />
      </Suspense>
    </>
  );
}
