import { type ComponentType, lazy, Suspense } from "react";
import { Route, Routes, useLocation } from "react-router-dom";
import { PATHS } from "./paths.ts";
import { CrashGuard } from "./ui/crash_guard.tsx";

const Landing = screen(() => import("./routes/landing.tsx"));
const Login = screen(() => import("./routes/login.tsx"));
const Desk = screen(() => import("./routes/desk.tsx"));
const Removal = screen(() => import("./routes/removal.tsx"));
const Join = screen(() => import("./routes/join.tsx"));
const SignedIn = screen(() => import("./routes/signed_in.tsx"));
const ClientHome = screen(() => import("./routes/client_home.tsx"));
const CampaignScreen = screen(() => import("./routes/campaign.tsx"));
const Lists = screen(() => import("./routes/lists.tsx"));
const Account = screen(() => import("./routes/account.tsx"));
const Admin = screen(() => import("./routes/admin.tsx"));
const NotFound = screen(() => import("./routes/not_found.tsx"));

/** Maps every path to its screen; each screen is its own chunk, so a visitor loads only the opened ones. */
export function AppRoutes() {
  return (
    <CrashGuard path={useLocation().pathname}>
      <Suspense fallback={<div className="min-h-dvh" />}>
        <Routes>
          <Route path={PATHS.landing} element={<Landing />} />
          <Route path={PATHS.login} element={<Login />} />
          <Route path={PATHS.desk} element={<Desk />} />
          <Route path={PATHS.removal(":token")} element={<Removal />} />
          <Route path={PATHS.join} element={<Join />} />
          <Route element={<SignedIn />}>
            <Route path={PATHS.client} element={<ClientHome />} />
            <Route path={PATHS.campaign(":id")} element={<CampaignScreen />} />
            <Route path={`${PATHS.client}/lists/*`} element={<Lists />} />
            <Route path={`${PATHS.account}/*`} element={<Account />} />
            <Route path={`${PATHS.admin}/*`} element={<Admin />} />
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </CrashGuard>
  );
}

/** Returns a lazy screen from a module that exports it as `Screen`. */
function screen(load: () => Promise<{ Screen: ComponentType }>) {
  return lazy(async () => ({ default: (await load()).Screen }));
}
