import { Construction } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { PATHS } from "../paths.ts";
import { ADMIN } from "../text/admin.ts";
import { NOT_FOUND, SHELL } from "../text/shell.ts";
import { usePageTitle } from "../ui/page_title.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

/** The administrators' screens are not part of this version: each says so and what works instead. */
export function Screen() {
  const path = useLocation().pathname.replace(/\/$/, "");
  const heading = ADMIN.headings[path];
  usePageTitle(heading ?? NOT_FOUND.title);
  return (
    <>
      <SignedInHeader
        middle={<Link to={PATHS.landing} className="text-sm text-ink-2 underline">{SHELL.home}</Link>}
      />
      <main className="mx-auto max-w-[1200px] px-4 py-10 sm:px-6">
        {heading ? <NotBuilt heading={heading} /> : <Unknown />}
      </main>
    </>
  );
}

function NotBuilt({ heading }: { heading: string }) {
  return (
    <>
      <h1 className="text-3xl font-extrabold tracking-tight">{heading}</h1>
      <div className="notice tone-idle mt-6 max-w-2xl">
        <Construction />
        <div>
          <b>{ADMIN.notBuilt}</b>
          <p className="mt-1">{ADMIN.whatWorks}</p>
        </div>
        <Link to={PATHS.client} className="btn btn-sm btn-secondary">{ADMIN.toCampaigns}</Link>
      </div>
    </>
  );
}

function Unknown() {
  return (
    <>
      <h1 className="text-3xl font-extrabold tracking-tight">
        <bdi dir="ltr">{NOT_FOUND.title}</bdi>
      </h1>
      <p className="mt-3 text-ink-2">{NOT_FOUND.hint}</p>
      <Link to={PATHS.admin} className="btn btn-primary mt-5">{NOT_FOUND.toAdmin}</Link>
    </>
  );
}
