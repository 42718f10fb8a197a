import type { Campaign, User } from "shared/http_api.ts";

export interface FakeUser extends User {
  password: string;
}

/** State of the fake edge that administrators' calls read and change. */
export interface FakeState {
  readonly users: FakeUser[];
  readonly campaigns: Campaign[];
  readonly consents: unknown[];
  addUser(given: Partial<FakeUser>): FakeUser;
}
