import type { Campaign, User } from "shared/http_api.ts";

export interface FakeUser extends User {
  password: string;
}

/** What the calls of administrators read and change of the fake edge. */
export interface FakeState {
  readonly users: FakeUser[];
  readonly campaigns: Campaign[];
  readonly consents: unknown[];
  addUser(given: Partial<FakeUser>): FakeUser;
}
