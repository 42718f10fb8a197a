import { lazy, type ReactNode, Suspense } from "react";

const Toasts = lazy(async () => ({ default: (await import("./ui/toasts.tsx")).Toasts }));

/** Surrounds every screen with the notification region, which loads after the screen itself. */
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
