import { Component, type ReactNode } from "react";
import { SHELL } from "../text/shell.ts";

interface CrashGuardProps {
  /** Path of the screen; a new path tries again. */
  path: string;
  children: ReactNode;
}

/** Replaces a screen that threw, or whose file is missing after an update of the server. */
export class CrashGuard extends Component<CrashGuardProps, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override componentDidCatch(error: unknown) {
    // deno-lint-ignore no-console -- the screen that could show the error is gone
    console.error(error);
  }

  override componentDidUpdate(before: CrashGuardProps) {
    if (this.state.crashed && before.path !== this.props.path) this.setState({ crashed: false });
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return (
      <main className="mx-auto grid max-w-md justify-items-start gap-3 px-4 py-24">
        <h1 className="text-2xl font-extrabold">{SHELL.crashTitle}</h1>
        <p className="text-ink-2">{SHELL.crashBody}</p>
        <button type="button" className="btn btn-primary" onClick={() => location.reload()}>
          {SHELL.reload}
        </button>
      </main>
    );
  }
}
