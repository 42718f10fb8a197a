// deno-fmt-ignore-file
/** The calls of API keys, by their operation: written by `deno task client:types` from the API's description. */

export interface Operations {
  /** Who is logged in */
  readMe: { answer: User };
  /** Every user */
  listUsers: { answer: Array<User> };
  /** What disabling the user or a new password would do */
  readUserEffect: { path: { id: string | number }; answer: UserEffect };
  /** Sets a client's quota, if it is still what the caller saw */
  setQuota: { path: { id: string | number }; body: SetQuotaRequest; answer: User };
  /** How a client's quota changed, the newest first */
  listLedger: { path: { id: string | number }; query?: { cursor?: number; limit?: number; campaign?: number }; answer: LedgerPage };
  /** How a client's quota changed, as a file; audited */
  exportLedger: { path: { id: string | number }; answer: Response };
  /** Corrects a client's quota by an entry with its reason; audited, and the client reads it */
  correctQuota: { path: { id: string | number }; body: CorrectQuotaRequest; answer: User };
  /** The account's webhooks */
  listWebhooks: { answer: Webhooks };
  /** Makes a webhook, and shows its secret once */
  makeWebhook: { body: MakeWebhookRequest; answer: MadeWebhook };
  /** Changes a webhook's name, address or events */
  changeWebhook: { path: { id: string | number }; body: ChangeWebhookRequest; answer: Webhook };
  /** Removes a webhook; nothing more is sent to it */
  removeWebhook: { path: { id: string | number }; answer: void };
  /** Sends nothing more to a webhook until it is resumed */
  pauseWebhook: { path: { id: string | number }; answer: Webhook };
  /** Sends to a webhook again, beginning with what waited */
  resumeWebhook: { path: { id: string | number }; body: ProvedRequest; answer: Webhook };
  /** Makes a new secret; the old one signs too for a day */
  renewWebhookSecret: { path: { id: string | number }; body: ProvedRequest; answer: NewWebhookSecret };
  /** Ends the old secret at once */
  endOldWebhookSecret: { path: { id: string | number }; answer: void };
  /** Sends an event that says it is a test */
  testWebhook: { path: { id: string | number }; answer: TestedWebhook };
  /** Sends the calls of a range of time again */
  sendWebhooksAgain: { path: { id: string | number }; body: SendAgainRequest; answer: SentAgain };
  /** A webhook's calls of the last 14 days */
  listWebhookCalls: { path: { id: string | number }; query?: { state?: ("waiting" | "arrived" | "given_up"); cursor?: number; limit?: number }; answer: WebhookCallPage };
  /** One call with its attempts and its body */
  readWebhookCall: { path: { id: string | number; call: string | number }; answer: WebhookCallDetail };
  /** Sends one call again, with the same id */
  sendWebhookCallAgain: { path: { id: string | number; call: string | number }; answer: SentAgain };
  /** The caller's newest campaigns */
  listCampaigns: { query?: { before?: number }; answer: Array<Campaign> };
  /** Makes a draft */
  createCampaign: { form: { name: string; message: string; status?: ("draft"); kind?: ("marketing" | "service"); image?: Blob }; answer: Campaign };
  /** One campaign */
  readCampaign: { path: { id: string | number }; answer: Campaign };
  /** Changes the words or the kind of a draft or ready campaign */
  editCampaign: { path: { id: string | number }; body: { name?: string; message?: string; kind?: ("marketing" | "service"); pilot?: (Pilot | null); expected?: CampaignWords }; answer: Campaign };
  /** Deletes a draft or ready campaign */
  deleteCampaign: { path: { id: string | number }; answer: void };
  /** Removes every contact of a draft or ready campaign */
  removeContacts: { path: { id: string | number }; answer: void };
  /** Adds the numbers of a CSV file or a workbook */
  addContactsFile: { path: { id: string | number }; form: { file: Blob; sheet?: string; consent?: string }; answer: UploadResult };
  /** The campaign's image */
  readImage: { path: { id: string | number }; answer: Response };
  /** Gives a draft or ready campaign another image */
  setImage: { path: { id: string | number }; form: { image: Blob }; answer: Campaign };
  /** Takes the image of a draft or ready campaign away */
  removeImage: { path: { id: string | number }; answer: Campaign };
  /** Sends a ready campaign, taking its contacts' number from the quota */
  sendCampaign: { path: { id: string | number }; body: SendRequest; answer: SendResult };
  /** Sends the campaign's words to one number, at most five times a day */
  sendTest: { path: { id: string | number }; body: TestRequest; answer: TestStarted };
  /** Stops leasing; what is only offered comes back at once, the rest is recalled */
  pauseCampaign: { path: { id: string | number }; answer: RecallResult };
  /** Lets a paused campaign go on; one that a breaker paused, by naming its reason */
  resumeCampaign: { path: { id: string | number }; body: ResumeRequest; answer: RecallResult };
  /** Takes back a send with a wait, until its first message is handed to a site; makes it ready again */
  takeBackSend: { path: { id: string | number }; answer: TakenBack };
  /** Ends a campaign; what was not sent is refunded */
  cancelCampaign: { path: { id: string | number }; answer: RecallResult };
  /** A page of the recipients, by number or within one state; numbers are masked for administrators */
  listDeliveries: { path: { id: string | number }; query?: { state?: DeliveryState; q?: string; cursor?: string; limit?: number }; answer: DeliveryPage };
  /** The same page; what is searched for stands in no address */
  searchDeliveries: { path: { id: string | number }; body: { state?: DeliveryState; q?: string; cursor?: string; limit?: number }; answer: DeliveryPage };
  /** One recipient, and everything that happened to the message on its way */
  readDelivery: { path: { id: string | number; delivery: string | number }; answer: DeliveryStory };
  /** Every recipient, for a spreadsheet */
  exportDeliveries: { path: { id: string | number }; answer: Response };
  /** Settles deliveries whose outcome is unknown, as their owner judged them */
  resolveDeliveries: { path: { id: string | number }; body: ResolveRequest; answer: ResolveResult };
  /** What the campaign's message makes of its recipients; masked for administrators */
  previewPersonal: { path: { id: string | number }; answer: PersonalPreview };
  /** The recipients before and after one, with the text that each gets; masked for administrators */
  readNeighbours: { path: { id: string | number; delivery: string | number }; answer: PersonalNeighbours };
  /** Recipients found by number or value, with the text that each gets; the search stands in no address */
  searchPersonal: { path: { id: string | number }; body: PersonalSearch; answer: PersonalRows };
  /** Adds numbers pasted by hand */
  addContacts: { path: { id: string | number }; body: { numbers: string; consent?: ({ basis: "opt_in"; source: string; obtainedOn: string } | { basis: "existing_customer"; source?: string }) }; answer: UploadResult };
  /** What was added to a campaign, newest first */
  listImports: { path: { id: string | number }; query?: { cursor?: number; limit?: number }; answer: ImportPage };
  /** Takes what one import added out of a draft or ready campaign */
  takeOutImport: { path: { id: string | number; importId: string | number }; answer: void };
  /** The rows of an upload that hold no valid number */
  exportRejectedRows: { path: { id: string | number; importId: string | number }; answer: Response };
  /** Keeps a file for an hour, for its person alone, and says what it holds */
  stageFile: { form: { file: Blob; sheet?: string }; answer: StagedFile };
  /** What a staged file holds */
  readStagedFile: { path: { id: string | number }; answer: StagedFile };
  /** Forgets a staged file */
  dropStagedFile: { path: { id: string | number }; answer: void };
  /** How many rows of a staged file would get the message, and why the others would not */
  previewStagedFile: { path: { id: string | number }; body: PreviewRequest; answer: Preview };
  /** The rows of a staged file that would get no message, each with its reason */
  exportLeftOutRows: { path: { id: string | number }; body: PreviewRequest; answer: Response };
  /** Adds the contacts of a staged file, with the values of the chosen columns */
  takeInStagedFile: { path: { id: string | number }; body: TakeInRequest; answer: UploadResult };
  /** Makes a draft of the same words, with all, none or the unreached of its contacts */
  duplicateCampaign: { path: { id: string | number }; body: { contacts: ("none" | "all" | "notSent" | "notSentOrLeftOut") }; answer: Campaign };
  /** The caller's lists by name; an administrator reads those of `client` */
  listLists: { query?: { client?: number }; answer: Lists };
  /** Creates an empty list */
  createList: { body: ListRequest; answer: List };
  /** One list */
  readList: { path: { id: string | number }; answer: OneList };
  /** Gives a list another name */
  renameList: { path: { id: string | number }; body: ListRequest; answer: List };
  /** Removes a list, and the contacts that are in no other */
  removeList: { path: { id: string | number }; answer: void };
  /** A page of a list's contacts, all or those found by the beginning of a number or a value */
  searchContacts: { path: { id: string | number }; body: ContactQuery; answer: ContactPage };
  /** Adds one contact by hand, or gives one that is there new values */
  addContact: { path: { id: string | number }; body: AddContactRequest; answer: Contact };
  /** Takes contacts out of a list; those that are then in no list are removed */
  removeListContacts: { path: { id: string | number }; body: RemoveContactsRequest; answer: ContactsRemoved };
  /** Adds numbers pasted by hand */
  addNumbersToList: { path: { id: string | number }; body: { numbers: string; consent?: ({ basis: "opt_in"; source: string; obtainedOn: string } | { basis: "existing_customer"; source?: string }) }; answer: ContactsAdded };
  /** Adds the people of a CSV file or a workbook; columns with a heading are their fields */
  addFileToList: { path: { id: string | number }; form: { file: Blob; consent?: string }; answer: ContactsAdded };
  /** Adds the people of a staged file, with the values of the chosen columns */
  addStagedFileToList: { path: { id: string | number }; body: TakeInRequest; answer: ContactsAdded };
  /** Adds the recipients of a campaign by their outcome */
  addCampaignToList: { path: { id: string | number }; body: AddFromCampaignRequest; answer: ContactsAdded };
  /** One contact: values, lists, messages, consents, removal */
  readContact: { path: { id: string | number; contact: string | number }; answer: ContactCard };
  /** Replaces the values of a contact, in every list that it is in */
  editContact: { path: { id: string | number; contact: string | number }; body: EditContactRequest; answer: ContactCard };
  /** The whole list, for a spreadsheet */
  exportContacts: { path: { id: string | number }; answer: Response };
  /** The whole list as a workbook whose cells are all texts */
  exportContactsWorkbook: { path: { id: string | number }; answer: Response };
  /** How many people of lists a choice would add, and why it leaves out others; changes nothing */
  countFromLists: { path: { id: string | number }; body: TakeRequest; answer: ChoiceCount };
  /** Adds chosen people of lists with their values */
  addFromLists: { path: { id: string | number }; body: TakeRequest; answer: UploadResult };
  /** Who the caller is as an advertiser */
  readProfile: { answer: Profile };
  /** What the caller declared of every number, for a spreadsheet; administrators: of everybody, masked */
  exportConsents: { answer: Response };
  /** What administrators see first */
  readDashboard: { answer: Dashboard };
  /** What is left today by site, the queue against it, and when each campaign ends */
  readCapacity: { answer: Capacity };
  /** Outcomes of 7, 30 or 90 ended days by site, account or client, beside the days before */
  readTrends: { query?: { days?: ("7" | "30" | "90"); by?: ("site" | "account" | "client"); id?: number }; answer: { days: number; by: ("site" | "account" | "client" | (string & Record<never, never>)); from: number; until: number; measuredSince: (number | null); total: { sent: number; failed: number; unknown: number }; before: ({ sent: number; failed: number; unknown: number } | null); sentSince: number; points: Array<{ at: number; sent: (number | null); failed: (number | null); unknown: (number | null); sentBefore: (number | null) }>; items: Array<{ sent: number; failed: number; unknown: number; id: number; name: string; place: string; account: string; sentBefore: (number | null) }>; more: number } };
  /** What needs a person now, the worst first */
  listAlerts: { answer: AdminAlerts };
  /** What happened, the newest first */
  listActivity: { query?: { cursor?: number; limit?: number; kind?: ("success" | "error" | "warning" | "info"); q?: string }; answer: ActivityPage };
  /** The same page; what is searched for stands in no address */
  searchActivity: { body: ActivityQuery; answer: ActivityPage };
  /** The campaigns of every client */
  listAllCampaigns: { query?: { cursor?: number; limit?: number; status?: ("draft" | "ready" | "processing" | "active" | "paused" | "completed" | "completed_with_errors" | "failed" | "cancelled" | "running" | "editable"); q?: string; client?: number }; answer: AdminCampaignPage };
  /** The same page; what is searched for stands in no address */
  searchAllCampaigns: { body: AdminCampaignQuery; answer: AdminCampaignPage };
  /** One campaign of any client */
  readAnyCampaign: { path: { id: string | number }; answer: AdminCampaignDetail };
  /** How the edge, its database and its parts are */
  readHealth: { answer: AdminHealth };
  /** Campaigns, devices, users and sites by a part of their name */
  searchEverything: { body: SearchQuery; answer: SearchResult };
  /** Cancels every running and paused campaign */
  clearQueues: { answer: QueuesCleared };
  /** Every site */
  listSites: { answer: Sites };
  /** Every single alert of one cause */
  listAlertsOfCause: { query: { cursor?: number; limit?: number; cause: AlertCause }; answer: AlertItems };
  /** Acknowledges a cause, or snoozes it for some hours */
  quietAlert: { body: QuietAlertRequest; answer: void };
  /** Ends the quiet of a cause */
  unquietAlert: { body: UnquietAlertRequest; answer: void };
  /** Who did what, the newest first, and how the chain stood when it was last checked */
  listAudit: { query?: { group?: ("logins" | "users" | "campaigns" | "fleet" | "system" | "privacy"); kind?: ("login" | "login_failed" | "login_locked" | "logout" | "sessions_ended" | "password_changed" | "password_refused" | "second_factor_on" | "second_factor_off" | "recovery_codes_made" | "recovery_code_used" | "code_refused" | "user_created" | "user_disabled" | "user_enabled" | "password_reset" | "second_factor_removed" | "quota_changed" | "quota_corrected" | "person_invited" | "invitation_withdrawn" | "person_joined" | "person_duty" | "person_confirmed" | "person_removed" | "key_made" | "key_confirmed" | "key_revoked" | "webhook_made" | "webhook_changed" | "webhook_removed" | "webhook_paused" | "webhook_resumed" | "webhook_secret" | "webhook_sent_again" | "campaign_undeclared" | "campaign_kind_changed" | "campaign_sent" | "campaign_taken_back" | "campaign_paused" | "campaign_resumed" | "campaign_cancelled" | "queues_cleared" | "deliveries_resolved" | "test_sent" | "hours_waived" | "hours_restored" | "file_imported" | "file_refused" | "file_infected" | "site_created" | "site_token" | "site_revoked" | "site_started" | "site_written_off" | "rehearsals_asked" | "rehearsals_not_asked" | "device_command" | "account_rested" | "unconfirmed_rested" | "account_released" | "account_edited" | "settings_changed" | "database_restored" | "alert_acknowledged" | "alert_snoozed" | "alert_unquieted" | "alert_choices_changed" | "alert_tested" | "suppressions_added" | "suppressions_removed" | "opted_out" | "opt_out_undone" | "replies_kept" | "numbers_shown" | "screen_looked" | "screen_look_ended" | "number_erased" | "site_erased" | "numbers_forgotten" | "list_shown" | "contacts_forgotten" | "exported" | "advertiser_changed" | "consent_declared" | "consents_forgotten" | "people_forgotten"); actor?: number; from?: (number | null); to?: (number | null); cursor?: number; limit?: number }; answer: AuditPage };
  /** The same for a spreadsheet */
  exportAudit: { query?: { group?: ("logins" | "users" | "campaigns" | "fleet" | "system" | "privacy"); kind?: ("login" | "login_failed" | "login_locked" | "logout" | "sessions_ended" | "password_changed" | "password_refused" | "second_factor_on" | "second_factor_off" | "recovery_codes_made" | "recovery_code_used" | "code_refused" | "user_created" | "user_disabled" | "user_enabled" | "password_reset" | "second_factor_removed" | "quota_changed" | "quota_corrected" | "person_invited" | "invitation_withdrawn" | "person_joined" | "person_duty" | "person_confirmed" | "person_removed" | "key_made" | "key_confirmed" | "key_revoked" | "webhook_made" | "webhook_changed" | "webhook_removed" | "webhook_paused" | "webhook_resumed" | "webhook_secret" | "webhook_sent_again" | "campaign_undeclared" | "campaign_kind_changed" | "campaign_sent" | "campaign_taken_back" | "campaign_paused" | "campaign_resumed" | "campaign_cancelled" | "queues_cleared" | "deliveries_resolved" | "test_sent" | "hours_waived" | "hours_restored" | "file_imported" | "file_refused" | "file_infected" | "site_created" | "site_token" | "site_revoked" | "site_started" | "site_written_off" | "rehearsals_asked" | "rehearsals_not_asked" | "device_command" | "account_rested" | "unconfirmed_rested" | "account_released" | "account_edited" | "settings_changed" | "database_restored" | "alert_acknowledged" | "alert_snoozed" | "alert_unquieted" | "alert_choices_changed" | "alert_tested" | "suppressions_added" | "suppressions_removed" | "opted_out" | "opt_out_undone" | "replies_kept" | "numbers_shown" | "screen_looked" | "screen_look_ended" | "number_erased" | "site_erased" | "numbers_forgotten" | "list_shown" | "contacts_forgotten" | "exported" | "advertiser_changed" | "consent_declared" | "consents_forgotten" | "people_forgotten"); actor?: number; from?: (number | null); to?: (number | null) }; answer: Response };
  /** Every phone, its accounts and how they stand */
  readAdbStatus: { answer: AdbStatus };
  /** Devices by how near their accounts are to being lost, and why */
  listRisk: { query?: { limit?: number }; answer: Risk };
  /** Every device, for a spreadsheet */
  exportDevices: { answer: Response };
  /** One device, its accounts and its newest commands */
  readDevice: { path: { id: string | number }; answer: DeviceDetail };
  /** Asks a device's site to restart, stop, start or identify it */
  commandDevice: { path: { id: string | number; kind: string | number }; answer: DeviceCommand };
  /** Lets an account that a breaker rested work again, by naming the reason */
  releaseAccount: { path: { id: string | number }; body: ReleaseAccountRequest; answer: void };
  /** How a command goes */
  readCommand: { path: { id: string | number }; answer: DeviceCommand };
  /** The files of the queue, the newest first */
  listFiles: { query?: { cursor?: number; limit?: number; status?: ("queued" | "processing" | "completed" | "error"); q?: string }; answer: FilePage };
  /** Takes in a CSV file or a workbook; it is read in the background */
  addFile: { form: { file: Blob; sheet?: string; target: string; consent?: string }; answer: FileItem };
  /** The same page; what is searched for stands in no address */
  searchFiles: { body: FileQuery; answer: FilePage };
  /** One file, and how far it was read */
  readFile: { path: { id: string | number }; answer: FileItem };
  /** Queues a failed file again */
  retryFile: { path: { id: string | number }; answer: FileItem };
  /** The numbers that the caller writes to never again, the newest first */
  listSuppressions: { query?: { cursor?: number; limit?: number; q?: string }; answer: SuppressionPage };
  /** Adds numbers, and takes them out of what waits to be sent */
  addSuppressions: { body: AddSuppressionsRequest; answer: SuppressionsAdded };
  /** The same page; what is searched for stands in no address */
  searchSuppressions: { body: SuppressionQuery; answer: SuppressionPage };
  /** The whole list, for a spreadsheet */
  exportSuppressions: { answer: Response };
  /** Adds the numbers of a CSV file, and takes them out of what waits to be sent */
  addSuppressionsFile: { form: { file: Blob }; answer: SuppressionsAdded };
  /** What recipients answered, the newest first */
  listReplies: { query?: { state?: ("waiting" | "removed" | "kept"); cursor?: number; limit?: number }; answer: ReplyPage };
  /** Removes those who asked for it, or says that they did not */
  decideReplies: { body: DecideRepliesRequest; answer: RepliesDecided };
}

export const ROUTES: Record<keyof Operations, { method: string; path: string; once: boolean }> = {
  readMe: { method: "GET", path: "/api/auth/me", once: false },
  listUsers: { method: "GET", path: "/api/users", once: false },
  readUserEffect: { method: "GET", path: "/api/admin/users/{id}", once: false },
  setQuota: { method: "PATCH", path: "/api/users/{id}/quota", once: true },
  listLedger: { method: "GET", path: "/api/users/{id}/ledger", once: false },
  exportLedger: { method: "GET", path: "/api/users/{id}/ledger.csv", once: false },
  correctQuota: { method: "POST", path: "/api/users/{id}/quota/corrections", once: true },
  listWebhooks: { method: "GET", path: "/api/webhooks", once: false },
  makeWebhook: { method: "POST", path: "/api/webhooks", once: true },
  changeWebhook: { method: "PATCH", path: "/api/webhooks/{id}", once: false },
  removeWebhook: { method: "DELETE", path: "/api/webhooks/{id}", once: false },
  pauseWebhook: { method: "POST", path: "/api/webhooks/{id}/pause", once: false },
  resumeWebhook: { method: "POST", path: "/api/webhooks/{id}/resume", once: false },
  renewWebhookSecret: { method: "POST", path: "/api/webhooks/{id}/secret", once: true },
  endOldWebhookSecret: { method: "DELETE", path: "/api/webhooks/{id}/secret", once: false },
  testWebhook: { method: "POST", path: "/api/webhooks/{id}/test", once: true },
  sendWebhooksAgain: { method: "POST", path: "/api/webhooks/{id}/again", once: true },
  listWebhookCalls: { method: "GET", path: "/api/webhooks/{id}/calls", once: false },
  readWebhookCall: { method: "GET", path: "/api/webhooks/{id}/calls/{call}", once: false },
  sendWebhookCallAgain: { method: "POST", path: "/api/webhooks/{id}/calls/{call}/again", once: true },
  listCampaigns: { method: "GET", path: "/api/campaigns", once: false },
  createCampaign: { method: "POST", path: "/api/campaigns", once: true },
  readCampaign: { method: "GET", path: "/api/campaigns/{id}", once: false },
  editCampaign: { method: "PATCH", path: "/api/campaigns/{id}", once: false },
  deleteCampaign: { method: "DELETE", path: "/api/campaigns/{id}", once: false },
  removeContacts: { method: "DELETE", path: "/api/campaigns/{id}/contacts", once: false },
  addContactsFile: { method: "POST", path: "/api/campaigns/{id}/contacts", once: true },
  readImage: { method: "GET", path: "/api/campaigns/{id}/image", once: false },
  setImage: { method: "PUT", path: "/api/campaigns/{id}/image", once: false },
  removeImage: { method: "DELETE", path: "/api/campaigns/{id}/image", once: false },
  sendCampaign: { method: "POST", path: "/api/campaigns/{id}/send", once: true },
  sendTest: { method: "POST", path: "/api/campaigns/{id}/test", once: true },
  pauseCampaign: { method: "POST", path: "/api/campaigns/{id}/pause", once: false },
  resumeCampaign: { method: "POST", path: "/api/campaigns/{id}/resume", once: true },
  takeBackSend: { method: "POST", path: "/api/campaigns/{id}/take-back", once: false },
  cancelCampaign: { method: "POST", path: "/api/campaigns/{id}/cancel", once: false },
  listDeliveries: { method: "GET", path: "/api/campaigns/{id}/deliveries", once: false },
  searchDeliveries: { method: "POST", path: "/api/campaigns/{id}/deliveries/search", once: false },
  readDelivery: { method: "GET", path: "/api/campaigns/{id}/deliveries/{delivery}", once: false },
  exportDeliveries: { method: "GET", path: "/api/campaigns/{id}/deliveries.csv", once: false },
  resolveDeliveries: { method: "POST", path: "/api/campaigns/{id}/deliveries/resolve", once: true },
  previewPersonal: { method: "GET", path: "/api/campaigns/{id}/personal", once: false },
  readNeighbours: { method: "GET", path: "/api/campaigns/{id}/personal/rows/{delivery}", once: false },
  searchPersonal: { method: "POST", path: "/api/campaigns/{id}/personal/rows", once: false },
  addContacts: { method: "POST", path: "/api/campaigns/{id}/contacts/manual", once: true },
  listImports: { method: "GET", path: "/api/campaigns/{id}/imports", once: false },
  takeOutImport: { method: "DELETE", path: "/api/campaigns/{id}/imports/{importId}", once: false },
  exportRejectedRows: { method: "GET", path: "/api/campaigns/{id}/imports/{importId}/rejected.csv", once: false },
  stageFile: { method: "POST", path: "/api/staged-files", once: true },
  readStagedFile: { method: "GET", path: "/api/staged-files/{id}", once: false },
  dropStagedFile: { method: "DELETE", path: "/api/staged-files/{id}", once: false },
  previewStagedFile: { method: "POST", path: "/api/campaigns/{id}/contacts/preview", once: false },
  exportLeftOutRows: { method: "POST", path: "/api/campaigns/{id}/contacts/left-out", once: false },
  takeInStagedFile: { method: "POST", path: "/api/campaigns/{id}/contacts/staged", once: true },
  duplicateCampaign: { method: "POST", path: "/api/campaigns/{id}/duplicate", once: true },
  listLists: { method: "GET", path: "/api/lists", once: false },
  createList: { method: "POST", path: "/api/lists", once: true },
  readList: { method: "GET", path: "/api/lists/{id}", once: false },
  renameList: { method: "PATCH", path: "/api/lists/{id}", once: false },
  removeList: { method: "DELETE", path: "/api/lists/{id}", once: false },
  searchContacts: { method: "POST", path: "/api/lists/{id}/search", once: false },
  addContact: { method: "POST", path: "/api/lists/{id}/contacts", once: true },
  removeListContacts: { method: "DELETE", path: "/api/lists/{id}/contacts", once: false },
  addNumbersToList: { method: "POST", path: "/api/lists/{id}/numbers", once: true },
  addFileToList: { method: "POST", path: "/api/lists/{id}/file", once: true },
  addStagedFileToList: { method: "POST", path: "/api/lists/{id}/staged", once: true },
  addCampaignToList: { method: "POST", path: "/api/lists/{id}/campaign", once: true },
  readContact: { method: "GET", path: "/api/lists/{id}/contacts/{contact}", once: false },
  editContact: { method: "PATCH", path: "/api/lists/{id}/contacts/{contact}", once: false },
  exportContacts: { method: "GET", path: "/api/lists/{id}/contacts.csv", once: false },
  exportContactsWorkbook: { method: "GET", path: "/api/lists/{id}/contacts.xlsx", once: false },
  countFromLists: { method: "POST", path: "/api/campaigns/{id}/contacts/lists/count", once: false },
  addFromLists: { method: "POST", path: "/api/campaigns/{id}/contacts/lists", once: true },
  readProfile: { method: "GET", path: "/api/profile", once: false },
  exportConsents: { method: "GET", path: "/api/consents.csv", once: false },
  readDashboard: { method: "GET", path: "/api/admin/dashboard", once: false },
  readCapacity: { method: "GET", path: "/api/admin/capacity", once: false },
  readTrends: { method: "GET", path: "/api/admin/trends", once: false },
  listAlerts: { method: "GET", path: "/api/admin/alerts", once: false },
  listActivity: { method: "GET", path: "/api/admin/activity", once: false },
  searchActivity: { method: "POST", path: "/api/admin/activity/search", once: false },
  listAllCampaigns: { method: "GET", path: "/api/admin/campaigns", once: false },
  searchAllCampaigns: { method: "POST", path: "/api/admin/campaigns/search", once: false },
  readAnyCampaign: { method: "GET", path: "/api/admin/campaigns/{id}", once: false },
  readHealth: { method: "GET", path: "/api/admin/health", once: false },
  searchEverything: { method: "POST", path: "/api/admin/search", once: false },
  clearQueues: { method: "POST", path: "/api/admin/queues/clear", once: false },
  listSites: { method: "GET", path: "/api/admin/sites", once: false },
  listAlertsOfCause: { method: "GET", path: "/api/admin/alerts/items", once: false },
  quietAlert: { method: "PUT", path: "/api/admin/alerts/quiet", once: false },
  unquietAlert: { method: "DELETE", path: "/api/admin/alerts/quiet", once: false },
  listAudit: { method: "GET", path: "/api/admin/audit", once: false },
  exportAudit: { method: "GET", path: "/api/admin/audit.csv", once: false },
  readAdbStatus: { method: "GET", path: "/api/devices/adb-status", once: false },
  listRisk: { method: "GET", path: "/api/admin/risk", once: false },
  exportDevices: { method: "GET", path: "/api/admin/devices.csv", once: false },
  readDevice: { method: "GET", path: "/api/admin/devices/{id}", once: false },
  commandDevice: { method: "POST", path: "/api/admin/devices/{id}/{kind}", once: true },
  releaseAccount: { method: "POST", path: "/api/admin/accounts/{id}/release", once: false },
  readCommand: { method: "GET", path: "/api/admin/commands/{id}", once: false },
  listFiles: { method: "GET", path: "/api/admin/files", once: false },
  addFile: { method: "POST", path: "/api/admin/files", once: true },
  searchFiles: { method: "POST", path: "/api/admin/files/search", once: false },
  readFile: { method: "GET", path: "/api/admin/files/{id}", once: false },
  retryFile: { method: "POST", path: "/api/admin/files/{id}/retry", once: true },
  listSuppressions: { method: "GET", path: "/api/suppressions", once: false },
  addSuppressions: { method: "POST", path: "/api/suppressions", once: true },
  searchSuppressions: { method: "POST", path: "/api/suppressions/search", once: false },
  exportSuppressions: { method: "GET", path: "/api/suppressions.csv", once: false },
  addSuppressionsFile: { method: "POST", path: "/api/suppressions/file", once: true },
  listReplies: { method: "GET", path: "/api/replies", once: false },
  decideReplies: { method: "POST", path: "/api/replies/decide", once: true },
};

/** The body of a webhook's call. */
export type WebhookBody = ({ id: string; type: ("message.batch"); timestamp: string; data: { events: Array<{ id: string; type: ("message.sent" | "message.failed" | "message.unknown" | "message.skipped" | "message.cancelled" | "message.expired"); timestamp: string; data: { messageId: number; campaignId: number; to: (string | null); reason: (string | null) } }> } } | { id: string; type: ("campaign.queued" | "campaign.taken_back" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.failed" | "campaign.cancelled" | "campaign.reopened"); timestamp: string; data: { campaignId: number; name: (string | null); status: string; pausedBy: (string | null); counts: { queued: number; leased: number; sent: number; failed: number; unknown: number; skipped: number; cancelled: number } } } | { id: string; type: ("opt_out.created"); timestamp: string; data: { phone: (string | null) } } | { id: string; type: ("reply.received"); timestamp: string; data: { replyId: number; campaignId: number; phone: (string | null); text: (string | null); state: (string | null) } } | { id: string; type: ("quota.low"); timestamp: string; data: { messageQuota: number; below: number } } | { id: string; type: ("site.created" | "site.enrolled" | "site.connected" | "site.lost" | "site.stopped" | "site.started" | "site.revoked"); timestamp: string; data: { siteId: number; name: (string | null); reason?: (string | null) } } | { id: string; type: ("account.ok" | "account.banned" | "account.restricted" | "account.logged_out" | "account.app_missing" | "account.unreachable"); timestamp: string; data: { accountId: number; siteId: number; deviceId: number; was: string } } | { id: string; type: ("alert.raised" | "alert.ended"); timestamp: string; data: { cause: string; code: string; severity: string; count?: number } } | { id: string; type: ("webhook.test"); timestamp: string; data: Record<string, unknown> });

export type Account = { id: number; account: string; label: string; confirmed: boolean; status: ("active" | "processing" | "idle" | "banned" | (string & Record<never, never>)); messagesCount: number; capPerDay: number; leftToday: number; standing: ("banned" | "restricted" | "logged_out" | "unknown_screen" | "rested" | "unconfirmed_rested" | "app_missing" | "unreachable" | "gave_back" | "unconfirmed_full" | "day_full" | "hour_full" | "ready" | (string & Record<never, never>)); riskScore: number; note: (string | null); whatsappVersion: (string | null); lastActivity: (number | null) };
export type ActivityPage = { items: Array<{ id: number; type: ("success" | "error" | "warning" | "info" | (string & Record<never, never>)); code: string; message: string; detail: (string | null); timestamp: number; deviceId: (number | null); siteId: (number | null); campaignId: (number | null); userId: (number | null) }>; nextCursor: (number | null) };
export type ActivityQuery = { cursor?: number; limit?: number; kind?: ("success" | "error" | "warning" | "info"); q?: string };
export type AdbStatus = { devices: Array<{ id: number; address: string; name: string; site: string; siteId: number; siteConnected: boolean; state: DeviceState; stateSince: (number | null); adbConnected: boolean; proofAt: (number | null); batteryPercent: (number | null); stopped: boolean; siteStopped: (boolean | null); messagesToday: number; capPerDay: number; leftToday: number; leftNow: number; standing: ("offline" | "stopped" | "unfit" | "site_stopped" | "no_account" | "banned" | "restricted" | "logged_out" | "unknown_screen" | "rested" | "unconfirmed_rested" | "app_missing" | "unreachable" | "gave_back" | "unconfirmed_full" | "day_full" | "hour_full" | "ready" | (string & Record<never, never>)); held: number; accounts: Array<Account> }>; summary: { total: number; online: number; offline: number } };
export type AddContactRequest = { phone: string; fields?: Record<string, string> };
export type AddFromCampaignRequest = { campaign: number; states: Array<DeliveryState> };
export type AddSuppressionsRequest = { numbers: string };
export type AdminAlerts = { items: Array<{ code: ("older_database" | "site_stopped" | "site_gave_back" | "site_away" | "sites_owe_outcomes" | "account_banned" | "unknown_screen" | "campaign_paused_by_rule" | "account_rested" | "unconfirmed_rested" | "accounts_unconfirmed" | "phone_moved" | "phone_at_two_sites" | "number_on_two_phones" | "import_failed" | "replies_wait" | "quota_low" | "no_device" | "campaign_stalled" | "scan_silent" | "device_needs_hand" | "alerts_undelivered" | (string & Record<never, never>)); cause: string; type: ("error" | "warning" | (string & Record<never, never>)); message: string; since: (number | null); siteId: (number | null); deviceId: (number | null); campaignId: (number | null); fileId: (number | null) }>; cut: Array<("older_database" | "site_stopped" | "site_gave_back" | "site_away" | "sites_owe_outcomes" | "account_banned" | "unknown_screen" | "campaign_paused_by_rule" | "account_rested" | "unconfirmed_rested" | "accounts_unconfirmed" | "phone_moved" | "phone_at_two_sites" | "number_on_two_phones" | "import_failed" | "replies_wait" | "quota_low" | "no_device" | "campaign_stalled" | "scan_silent" | "device_needs_hand" | "alerts_undelivered" | (string & Record<never, never>))>; causes: Array<{ cause: string; code: ("older_database" | "site_stopped" | "site_gave_back" | "site_away" | "sites_owe_outcomes" | "account_banned" | "unknown_screen" | "campaign_paused_by_rule" | "account_rested" | "unconfirmed_rested" | "accounts_unconfirmed" | "phone_moved" | "phone_at_two_sites" | "number_on_two_phones" | "import_failed" | "replies_wait" | "quota_low" | "no_device" | "campaign_stalled" | "scan_silent" | "device_needs_hand" | "alerts_undelivered" | (string & Record<never, never>)); type: ("error" | "warning" | (string & Record<never, never>)); title: string; step: string; count: number; alerts: number; since: (number | null); newest: (number | null); quiet: ({ kind: ("acknowledged" | "snoozed" | (string & Record<never, never>)); at: number; by: string; until: (number | null) } | null); messages: Array<AlertMessage> }> };
export type AdminCampaignDetail = { id: number; name: string; kind: CampaignKind; imageUrl: (string | null); status: CampaignStatus; totalContacts: number; sentCount: number; counts: CampaignCounts; optedOutCount: number; waitingReplies?: number; createdAt: number; startedAt: (number | null); takeBack: ({ until: number; leftMs: number } | null); completedAt: (number | null); lastSentAt: (number | null); pace: (number | null); estimate: Estimate; sendingHours: ({ opens: number; closes: number; closesEarly: number } | null); pilot?: (Pilot | null); notices: Array<{ code: ("no_contacts" | "import_running" | "no_device" | "no_picture_account" | "waiting_for_rehearsal" | "agents_too_old" | "some_agents_too_old" | "cap_reached" | "waiting_for_confirmation" | "gave_back_too_much" | "hour_reached" | "outside_hours" | "opens_later" | "told_before_sending" | "hours_waived" | "pilot_wave" | "pilot_wait" | "waiting_for_account" | "older_database" | "waiting_for_sites" | "reached_in_lost_time" | "waiting_for_outcomes" | "waiting_for_erasures" | "backup_copy" | "newer_release" | "waiting_for_site" | "words_missing" | "waiting_turn" | "phones_busy" | "retry_wait" | "number_wait" | "sender_wait" | "stalled" | "paused_by_client" | "paused_by_admin" | "paused_by_rule" | "unknown_deliveries" | "advertiser_missing" | "no_online_refusal" | "without_consent" | "frequency_capped" | "left_out_empty" | (string & Record<never, never>)); count?: number; site?: string; since?: number; until?: number; reason?: string; trip?: number; cause?: ("no_site" | "agent_too_old" | "sites_away" | "sites_stopped" | "draining" | "phones_offline" | "phones_stopped" | "accounts_rested" | "accounts_lost" | "held_silently" | "offers_unanswered" | "given_back" | "not_asking" | "words_missing" | "backup_copy" | "newer_release" | "erasures_owed" | "rehearsals_owed" | "item_texts_missing" | (string & Record<never, never>)) }>; client: { id: number; username: string }; message: string; composed: (string | null); numbersShownUntil: (number | null); hours: { kept: boolean; waived: ({ at: number; by: string; reason: string } | null) } };
export type AdminCampaignPage = { items: Array<{ id: number; name: string; kind: CampaignKind; imageUrl: (string | null); status: CampaignStatus; totalContacts: number; sentCount: number; counts: CampaignCounts; optedOutCount: number; waitingReplies?: number; createdAt: number; startedAt: (number | null); takeBack: ({ until: number; leftMs: number } | null); completedAt: (number | null); lastSentAt: (number | null); pace: (number | null); estimate: Estimate; sendingHours: ({ opens: number; closes: number; closesEarly: number } | null); pilot?: (Pilot | null); notices: Array<{ code: ("no_contacts" | "import_running" | "no_device" | "no_picture_account" | "waiting_for_rehearsal" | "agents_too_old" | "some_agents_too_old" | "cap_reached" | "waiting_for_confirmation" | "gave_back_too_much" | "hour_reached" | "outside_hours" | "opens_later" | "told_before_sending" | "hours_waived" | "pilot_wave" | "pilot_wait" | "waiting_for_account" | "older_database" | "waiting_for_sites" | "reached_in_lost_time" | "waiting_for_outcomes" | "waiting_for_erasures" | "backup_copy" | "newer_release" | "waiting_for_site" | "words_missing" | "waiting_turn" | "phones_busy" | "retry_wait" | "number_wait" | "sender_wait" | "stalled" | "paused_by_client" | "paused_by_admin" | "paused_by_rule" | "unknown_deliveries" | "advertiser_missing" | "no_online_refusal" | "without_consent" | "frequency_capped" | "left_out_empty" | (string & Record<never, never>)); count?: number; site?: string; since?: number; until?: number; reason?: string; trip?: number; cause?: ("no_site" | "agent_too_old" | "sites_away" | "sites_stopped" | "draining" | "phones_offline" | "phones_stopped" | "accounts_rested" | "accounts_lost" | "held_silently" | "offers_unanswered" | "given_back" | "not_asking" | "words_missing" | "backup_copy" | "newer_release" | "erasures_owed" | "rehearsals_owed" | "item_texts_missing" | (string & Record<never, never>)) }>; client: { id: number; username: string } }>; nextCursor: (number | null) };
export type AdminCampaignQuery = { cursor?: number; limit?: number; status?: ("draft" | "ready" | "processing" | "active" | "paused" | "completed" | "completed_with_errors" | "failed" | "cancelled" | "running" | "editable"); q?: string; client?: number };
export type AdminHealth = { status: ("ok" | "attention" | (string & Record<never, never>)); version: string; serverTime: number; databaseMs: number; sites: { total: number; connected: number }; scan: ("off" | "on" | "silent" | (string & Record<never, never>)) };
export type AlertCause = string;
export type AlertItems = { items: Array<{ code: ("older_database" | "site_stopped" | "site_gave_back" | "site_away" | "sites_owe_outcomes" | "account_banned" | "unknown_screen" | "campaign_paused_by_rule" | "account_rested" | "unconfirmed_rested" | "accounts_unconfirmed" | "phone_moved" | "phone_at_two_sites" | "number_on_two_phones" | "import_failed" | "replies_wait" | "quota_low" | "no_device" | "campaign_stalled" | "scan_silent" | "device_needs_hand" | "alerts_undelivered" | (string & Record<never, never>)); cause: string; type: ("error" | "warning" | (string & Record<never, never>)); message: string; since: (number | null); siteId: (number | null); deviceId: (number | null); campaignId: (number | null); fileId: (number | null) }>; nextCursor: (number | null) };
export type AlertMessage = { channel: ("email" | "webhook" | (string & Record<never, never>)); state: ("sending" | "sent" | "failed" | "unknown" | (string & Record<never, never>)); at: number; attempts: number; reason: ("connect" | "tls" | "login" | "refused" | "timeout" | "broken" | "stopped" | (string & Record<never, never>)); status: (number | null); nextAt: (number | null) };
export type AuditChain = { checkedAt: (number | null); rows: number; fault: AuditFault; open: number; openSince: (number | null) };
export type AuditFault = ({ row: number; fault: ("edited" | "missing" | "forged" | "cut" | "head_forged" | (string & Record<never, never>)) } | null);
export type AuditPage = { items: Array<{ id: number; at: number; kind: string; text: string; actorId: (number | null); actorName: (string | null); campaignId: (number | null); deviceId: (number | null); hash: (string | null) }>; nextCursor: (number | null); chain: AuditChain };
export type Campaign = { id: number; name: string; kind: CampaignKind; message: string; composed: (string | null); imageUrl: (string | null); status: CampaignStatus; totalContacts: number; sentCount: number; counts: CampaignCounts; optedOutCount: number; waitingReplies?: number; createdAt: number; startedAt: (number | null); takeBack: ({ until: number; leftMs: number } | null); completedAt: (number | null); lastSentAt: (number | null); pace: (number | null); estimate: Estimate; sendingHours: ({ opens: number; closes: number; closesEarly: number } | null); pilot?: (Pilot | null); notices: Array<{ code: ("no_contacts" | "import_running" | "no_device" | "no_picture_account" | "waiting_for_rehearsal" | "agents_too_old" | "some_agents_too_old" | "cap_reached" | "waiting_for_confirmation" | "gave_back_too_much" | "hour_reached" | "outside_hours" | "opens_later" | "told_before_sending" | "hours_waived" | "pilot_wave" | "pilot_wait" | "waiting_for_account" | "older_database" | "waiting_for_sites" | "reached_in_lost_time" | "waiting_for_outcomes" | "waiting_for_erasures" | "backup_copy" | "newer_release" | "waiting_for_site" | "words_missing" | "waiting_turn" | "phones_busy" | "retry_wait" | "number_wait" | "sender_wait" | "stalled" | "paused_by_client" | "paused_by_admin" | "paused_by_rule" | "unknown_deliveries" | "advertiser_missing" | "no_online_refusal" | "without_consent" | "frequency_capped" | "left_out_empty" | (string & Record<never, never>)); count?: number; site?: string; since?: number; until?: number; reason?: string; trip?: number; cause?: ("no_site" | "agent_too_old" | "sites_away" | "sites_stopped" | "draining" | "phones_offline" | "phones_stopped" | "accounts_rested" | "accounts_lost" | "held_silently" | "offers_unanswered" | "given_back" | "not_asking" | "words_missing" | "backup_copy" | "newer_release" | "erasures_owed" | "rehearsals_owed" | "item_texts_missing" | (string & Record<never, never>)) }> };
export type CampaignCounts = { queued: number; leased: number; sent: number; failed: number; unknown: number; skipped: number; cancelled: number };
export type CampaignKind = ("marketing" | "service" | "undeclared");
export type CampaignStatus = ("draft" | "ready" | "processing" | "active" | "paused" | "completed" | "completed_with_errors" | "failed" | "cancelled" | (string & Record<never, never>));
export type CampaignWords = { name: string; message: string; kind: CampaignKind };
export type Capacity = { at: number; total: { leftNow: number; leftToday: number; usedToday: number; capPerDay: number; phones: number; phonesReady: number }; waiting: number; waitingPaused: number; hours: { isOpen: boolean; opensAt: number }; sites: Array<{ id: number; name: string; state: ("working" | "away" | "stopped" | "draining" | (string & Record<never, never>)); leftNow: number; leftToday: number; usedToday: number; capPerDay: number; phones: number; phonesReady: number; leftAway: number }>; campaigns: Array<{ id: number; name: string; kind: CampaignKind; status: CampaignStatus; totalContacts: number; sentCount: number; pace: (number | null); estimate: Estimate; notices: Array<{ code: ("no_contacts" | "import_running" | "no_device" | "no_picture_account" | "waiting_for_rehearsal" | "agents_too_old" | "some_agents_too_old" | "cap_reached" | "waiting_for_confirmation" | "gave_back_too_much" | "hour_reached" | "outside_hours" | "opens_later" | "told_before_sending" | "hours_waived" | "pilot_wave" | "pilot_wait" | "waiting_for_account" | "older_database" | "waiting_for_sites" | "reached_in_lost_time" | "waiting_for_outcomes" | "waiting_for_erasures" | "backup_copy" | "newer_release" | "waiting_for_site" | "words_missing" | "waiting_turn" | "phones_busy" | "retry_wait" | "number_wait" | "sender_wait" | "stalled" | "paused_by_client" | "paused_by_admin" | "paused_by_rule" | "unknown_deliveries" | "advertiser_missing" | "no_online_refusal" | "without_consent" | "frequency_capped" | "left_out_empty" | (string & Record<never, never>)); count?: number; site?: string; since?: number; until?: number; reason?: string; trip?: number; cause?: ("no_site" | "agent_too_old" | "sites_away" | "sites_stopped" | "draining" | "phones_offline" | "phones_stopped" | "accounts_rested" | "accounts_lost" | "held_silently" | "offers_unanswered" | "given_back" | "not_asking" | "words_missing" | "backup_copy" | "newer_release" | "erasures_owed" | "rehearsals_owed" | "item_texts_missing" | (string & Record<never, never>)) }>; client: { id: number; username: string }; waiting: number }>; campaignsRunning: number };
export type ChangeWebhookRequest = { proof?: Proof; name?: string; url?: string; types?: Array<("campaign.queued" | "campaign.taken_back" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.failed" | "campaign.cancelled" | "campaign.reopened" | "message.sent" | "message.failed" | "message.unknown" | "message.skipped" | "message.cancelled" | "message.expired" | "opt_out.created" | "reply.received" | "quota.low" | "site.created" | "site.enrolled" | "site.connected" | "site.lost" | "site.stopped" | "site.started" | "site.revoked" | "account.ok" | "account.banned" | "account.restricted" | "account.logged_out" | "account.app_missing" | "account.unreachable" | "alert.raised" | "alert.ended")>; quotaBelow?: number };
export type ChoiceCount = { total: number; fitting: number; chosen: number; removed: number; noConsent: number; alreadyHere: number; reached: number; added: number; seed: (number | null) };
export type ColumnChoice = ({ phone: number; fields: Array<{ no: number; name: string }> } | null);
export type Consent = ({ basis: ("opt_in"); source: string; obtainedOn: string } | { basis: ("existing_customer"); source?: string });
export type Contact = { id: number; phone: string; fields: Record<string, string> };
export type ContactCard = { id: number; phone: string; fields: Record<string, string>; source: ("file" | "typed" | "campaign" | (string & Record<never, never>)); createdAt: number; updatedAt: number; lists: Array<{ id: number; name: string }>; messages: Array<{ campaign: number; name: string; state: DeliveryState; at: number }>; consents: Array<{ basis: ("opt_in" | "existing_customer" | (string & Record<never, never>)); source: string; obtainedOn: (string | null); at: number; by: (string | null) }>; removal: ({ at: number; source: ("reply" | "manual" | "file" | "house" | (string & Record<never, never>)) } | null) };
export type ContactPage = { items: Array<Contact>; nextCursor: (string | null) };
export type ContactProblem = { row: number; text: string; problem: string };
export type ContactQuery = { q?: string; cursor?: (string | null); limit?: number };
export type ContactsAdded = { added: number; known: number; duplicates: number; invalid: number; blocked: number; ignoredColumns: Array<string>; problems: Array<ContactProblem>; isDamaged?: (true) };
export type ContactsRemoved = { removed: number };
export type CorrectQuotaRequest = { delta: number; reason: string; requestId?: string };
export type Dashboard = { stats: { totalDevices: { value: number; yesterday: (number | null); change: (number | null); trend: Array<(number | null)> }; activeSessions: { value: number; yesterday: (number | null); change: (number | null); trend: Array<(number | null)> }; messagesToday: { value: number; yesterday: (number | null); change: (number | null); trend: Array<(number | null)> }; banRate: { value: number; yesterday: (number | null); change: (number | null); trend: Array<(number | null)> } }; measuredAt: (number | null); sendRate: Array<{ at: number; sent: number }>; fleet: { sending: number; ready: number; full: number; unable: number; stopped: number; offline: number; atRisk: number; banned: number }; devices: Array<{ deviceId: number; name: string; site: string; status: ("active" | "processing" | "idle" | "banned" | (string & Record<never, never>)); whatsappVersion: (string | null); lastActivity: (number | null); messagesCount: number; capPerDay: number; leftToday: number; standing: ("offline" | "stopped" | "unfit" | "site_stopped" | "no_account" | "banned" | "restricted" | "logged_out" | "unknown_screen" | "rested" | "unconfirmed_rested" | "app_missing" | "unreachable" | "gave_back" | "unconfirmed_full" | "day_full" | "hour_full" | "ready" | (string & Record<never, never>)); held: number; stopped: boolean }>; reset: { waitingMessages: number; runningCampaigns: number; sentToday: number } };
export type DecideRepliesRequest = { ids: Array<number>; as: ("remove" | "keep") };
export type Delivery = { id: number; phone: string; state: DeliveryState; reason: DeliveryReason; waitingForSite: (string | null); account: (string | null); sender: (string | null); attempts: number; at: number };
export type DeliveryPage = { items: Array<Delivery>; nextCursor: (string | null) };
export type DeliveryReason = ("not_on_app" | "chat_not_opened" | "chat_titled_by_name" | "draft_mismatch" | "caption_not_shown" | "image_unavailable" | "device_offline" | "account_banned" | "account_restricted" | "account_logged_out" | "account_unavailable" | "phone_screen_blocked" | "tap_too_late" | "send_not_verified" | "agent_restarted" | "no_go" | "recalled" | "validity_over" | "draining" | "retries_exhausted" | "offer_expired" | "offer_not_confirmed" | "campaign_paused" | "site_silent" | "site_revoked" | "site_away_at_end" | "journal_lost" | "journal_doubted" | "earlier_attempt_open" | "impossible_report" | "opted_out" | "frequency_cap" | "value_missing" | "cancelled_by_client" | "cancelled_by_admin" | "queues_cleared" | "resolved_by_person" | (string & Record<never, never>));
export type DeliveryState = ("queued" | "leased" | "sent" | "failed" | "unknown" | "skipped" | "cancelled" | (string & Record<never, never>));
export type DeliveryStep = { at: number; what: DeliveryStepName; by: MovedBy; attempt: number; site: (string | null); account: (string | null); sender: (string | null); reason: DeliveryReason; result: ("applied" | "known" | "stale" | (string & Record<never, never>)); tappedAt: (number | null) };
export type DeliveryStepName = ("queued" | "leased" | "sent" | "failed" | "unknown" | "skipped" | "cancelled" | "acked" | "void" | (string & Record<never, never>));
export type DeliveryStory = { id: number; phone: string; state: DeliveryState; reason: DeliveryReason; waitingForSite: (string | null); account: (string | null); sender: (string | null); attempts: number; at: number; history: Array<DeliveryStep> };
export type DeviceCommand = { id: number; deviceId: number; kind: ("restart" | "stop" | "start" | "identify" | (string & Record<never, never>)); status: ("waiting" | "done" | "failed" | "timed_out" | (string & Record<never, never>)); detail: (string | null); by: string; createdAt: number; finishedAt: (number | null) };
export type DeviceDetail = { id: number; serial: string; name: string; address: string; model: string; androidVersion: string; state: DeviceState; stateSince: (number | null); stateDetail: (string | null); addresses: Array<string>; adbConnected: boolean; proofAt: (number | null); batteryPercent: (number | null); stopped: boolean; siteStopped: (boolean | null); owesRehearsal: boolean; firstSeenAt: number; usedToday: number; capPerDay: number; leftToday: number; leftNow: number; standing: ("offline" | "stopped" | "unfit" | "site_stopped" | "no_account" | "banned" | "restricted" | "logged_out" | "unknown_screen" | "rested" | "unconfirmed_rested" | "app_missing" | "unreachable" | "gave_back" | "unconfirmed_full" | "day_full" | "hour_full" | "ready" | (string & Record<never, never>)); held: number; riskScore: number; site: { id: number; name: string; connected: boolean; lastSeenAt: (number | null) }; accounts: Array<{ id: number; account: string; label: string; confirmed: boolean; status: ("active" | "processing" | "idle" | "banned" | (string & Record<never, never>)); messagesCount: number; capPerDay: number; leftToday: number; standing: ("banned" | "restricted" | "logged_out" | "unknown_screen" | "rested" | "unconfirmed_rested" | "app_missing" | "unreachable" | "gave_back" | "unconfirmed_full" | "day_full" | "hour_full" | "ready" | (string & Record<never, never>)); riskScore: number; note: (string | null); whatsappVersion: (string | null); lastActivity: (number | null); state: ("ok" | "banned" | "restricted" | "logged_out" | "app_missing" | "unreachable" | (string & Record<never, never>)); stateSince: (number | null); riskReasons: Array<string>; riskAdvice: Array<string>; riskHistory: Array<{ day: number; score: number }>; unknownScreen: ({ fingerprint: string; kind: ("dialog" | "screen" | "row" | (string & Record<never, never>)); window: string; ids: Array<unknown>; since: number } | null); trip: (number | null); firstInstalledAt: (number | null); userKind: ("owner" | "work" | "secondary" | (string & Record<never, never>)); captions: (boolean | null); screensSeen: (boolean | null); ownNumber: (string | null); sent24h: number; failed24h: number; unknown24h: number }>; deliveries: Array<{ id: number; phone: string; state: DeliveryState; reason: DeliveryReason; account: (string | null); at: number; campaignId: number; campaignName: string }>; commands: Array<DeviceCommand> };
export type DeviceState = ("online" | "offline" | "unauthorized" | "booting" | "locked" | "low_battery" | "hot" | "low_storage" | "not_answering" | (string & Record<never, never>));
export type EditContactRequest = { fields: Record<string, string> };
export type Estimate = ({ endsAt: number; by: ("rule" | "pace" | "capacity" | (string & Record<never, never>)) } | null);
export type FieldFilter = { field: string; kind: ("is" | "is_not" | "is_empty" | "is_filled" | "contains"); value?: string };
export type FileItem = { id: number; name: string; status: ("queued" | "processing" | "completed" | "error" | (string & Record<never, never>)); progress: number; totalRows: number; processedRows: number; timestamp: number; startedAt: (number | null); finishedAt: (number | null); by: string; target: ({ kind: ("campaign"); campaignId: number; campaign: string; client: string } | { kind: ("suppressions") }); added: number; duplicates: number; invalid: number; suppressed: number; withoutConsent: number; error: (string | null); hasRejected: boolean; canRetry: boolean };
export type FilePage = { items: Array<FileItem>; nextCursor: (number | null) };
export type FileQuery = { cursor?: number; limit?: number; status?: ("queued" | "processing" | "completed" | "error"); q?: string };
export type GivenDuty = ("reader" | "writer" | "sender");
export type ImportPage = { items: Array<{ id: number; source: ("file" | "typed" | "copy" | "lists" | (string & Record<never, never>)); fileName: string; status: ("queued" | "processing" | "completed" | "error" | (string & Record<never, never>)); error: (string | null); at: number; column: ({ no: number; name: (string | null) } | null); added: number; duplicates: number; invalid: number; suppressed: number; withoutConsent: number; hasRejected: boolean }>; nextCursor: (number | null) };
export type LedgerPage = { items: Array<{ id: number; at: number; kind: ("grant" | "correction" | "reserve" | "release" | "refund" | "charge" | "cover" | (string & Record<never, never>)); delta: number; balanceAfter: number; campaignId: (number | null); campaignName: (string | null); actor: ("client" | "admin" | "system" | (string & Record<never, never>)); actorName: (string | null); reason: (string | null) }>; nextCursor: (number | null) };
export type List = { id: number; client: number; name: string; size: number; fields: Array<string>; createdAt: number; updatedAt: number };
export type ListRequest = { name: string };
export type Lists = { items: Array<List> };
export type MadeWebhook = { webhook: Webhook; secret: string };
export type MakeWebhookRequest = { proof?: Proof; name: string; url: string; types: Array<("campaign.queued" | "campaign.taken_back" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.failed" | "campaign.cancelled" | "campaign.reopened" | "message.sent" | "message.failed" | "message.unknown" | "message.skipped" | "message.cancelled" | "message.expired" | "opt_out.created" | "reply.received" | "quota.low" | "site.created" | "site.enrolled" | "site.connected" | "site.lost" | "site.stopped" | "site.started" | "site.revoked" | "account.ok" | "account.banned" | "account.restricted" | "account.logged_out" | "account.app_missing" | "account.unreachable" | "alert.raised" | "alert.ended")>; quotaBelow?: number };
export type MovedBy = (0);
export type NewWebhookSecret = { secret: string; oldSecretUntil: number };
export type OneList = { id: number; client: number; name: string; size: number; fields: Array<string>; createdAt: number; updatedAt: number; shownUntil: (number | null) };
export type PersonalNeighbours = { previous: PersonalRow; next: PersonalRow; place: (number | null) };
export type PersonalPreview = { isPersonal: boolean; fields: Array<string>; faults: Array<{ code: ("unclosed" | "no_name" | "no_fallback" | "too_many" | (string & Record<never, never>)); at: number; end: number }>; unknown: Array<{ field: string; nearest: (string | null) }>; count: number; missing: number; tooLong: number; longestChars: number; rows: { first: PersonalRow; longest: PersonalRow; emptiest: PersonalRow } };
export type PersonalRow = ({ id: number; phone: string; values: Record<string, string>; text: (string | null); missing: Array<string> } | null);
export type PersonalRows = { items: Array<PersonalRow>; next: (number | null) };
export type PersonalSearch = { q: string; after?: number };
export type Pilot = { count: number; waitMinutes: number };
export type Preview = { rows: number; taken: number; leftOut: Array<{ reason: RowReason; count: number; rows: Array<{ row: number; text: string }> }>; room: number };
export type PreviewRequest = { file: number; choice: ColumnChoice; declares?: boolean };
export type Profile = { advertiser: ({ name: string; address: string; phone: string; email: string; removalLink?: boolean } | null); linkOrigin: (string | null) };
export type Proof = { password: string; code?: string };
export type ProvedRequest = { proof?: Proof };
export type QueuesCleared = { message: string; messageQueueCleared: number; campaignQueueCleared: number };
export type QuietAlertRequest = { cause: AlertCause; hours: (1); seen: { count: number; newest: (number | null) } };
export type RecallResult = { status: CampaignStatus; changed: number; recalled: number };
export type ReleaseAccountRequest = { trip: number };
export type RemoveContactsRequest = { ids: Array<number> };
export type RepliesDecided = { decided: number };
export type ReplyPage = { items: Array<{ id: number; phone: string; excerpt: string; at: number; state: ("waiting" | "removed" | "kept" | (string & Record<never, never>)); campaignId: number; campaignName: string; client: string; decidedAt: (number | null) }>; nextCursor: (number | null) };
export type ResolveRequest = { ids: (Array<number> | ("all")); as: ("sent" | "failed" | "resend") };
export type ResolveResult = { changed: number };
export type ResumeRequest = { trip?: (number | null) };
export type Risk = { tiers: Array<{ tier: ("high" | "medium" | "low" | (string & Record<never, never>)); count: number; percent: number; items: Array<{ deviceId: number; name: string; site: string; score: number; reason: string; reasons: Array<string>; advice: Array<string> }> }>; lastBan: ({ deviceId: number; name: string; at: number } | null) };
export type RowReason = ("not_a_number" | "repeated" | "removed" | "no_consent" | "already_here" | "reached" | (string & Record<never, never>));
export type SearchQuery = { q: string };
export type SearchResult = { items: Array<{ kind: ("campaign" | "device" | "user" | "site" | (string & Record<never, never>)); id: number; title: string; detail: string; state: string }> };
export type SendAgainRequest = { from: number; to: number; which?: ("given_up" | "all") };
export type SendRequest = { reached?: ("leave_out" | "send"); leaveOutEmpty?: boolean; delaySeconds?: number };
export type SendResult = { remainingQuota: number };
export type SentAgain = { calls: number; hasMore: boolean };
export type SetQuotaRequest = { messageQuota: number; expectedQuota?: number; requestId?: string };
export type Sheet = { no: number; name: string; isHidden: boolean };
export type Site = { id: number; name: string; status: ("connected" | "away" | "not_enrolled" | "revoked" | (string & Record<never, never>)); stopped: boolean; stopReason: ("journal_doubted" | "two_machines" | "impossible_report" | (string & Record<never, never>)); unconfirmedRest: boolean; protocol: (string | null); needsUpdate: boolean; owesOutcomes: boolean; draining: boolean; agentVersion: (string | null); lastSeenAt: (number | null); createdAt: number; devices: number; connectedDevices: number; held: number; takesItemTexts: boolean; asksRehearsal: boolean; owingDevices: number };
export type Sites = { items: Array<Site> };
export type StagedFile = { id: number; fileName: string; kind: ("csv" | "xlsx" | (string & Record<never, never>)); sheets: Array<Sheet>; sheet: (number | null); notes: Array<("windows_1255" | "utf_16" | "damaged_utf_8" | "semicolons" | "tabs" | "bars" | "open_quote" | "titles" | (string & Record<never, never>))>; headingRow: (number | null); columns: Array<{ no: number; name: (string | null); samples: Array<string>; phones: number }>; rowsLookedAt: number; why: ("values" | "heading" | "only" | (string & Record<never, never>)); choice: ColumnChoice; isRemembered: boolean; until: number };
export type SuppressionPage = { items: Array<{ id: number; phone: string; source: ("manual" | "file" | "reply" | (string & Record<never, never>)); at: number }>; nextCursor: (number | null) };
export type SuppressionQuery = { cursor?: number; limit?: number; q?: string };
export type SuppressionsAdded = { added: number; duplicates: number; invalid: number; problems: Array<ContactProblem>; skipped: number; recalled: number; isDamaged?: (true) };
export type TakeInRequest = { file: number; choice: ColumnChoice; consent?: Consent };
export type TakeRequest = { lists: Array<number>; where?: Array<FieldFilter>; notWithinDays?: (number | null); except?: { lists?: Array<number>; campaigns?: Array<number> }; take?: ({ kind: ("first"); count: number } | { kind: ("random"); count: number; seed?: number } | null); consent?: Consent };
export type TakenBack = { status: CampaignStatus; remainingQuota: number };
export type TestRequest = { phone: string; row?: number };
export type TestStarted = { campaignId: number; remainingQuota: number; remainingToday: number };
export type TestedWebhook = { callId: number };
export type UnquietAlertRequest = { cause: AlertCause };
export type UploadResult = { importId: number; total: number; duplicatesRemoved: number; invalid: number; suppressed: number; withoutConsent: number; problems: Array<ContactProblem>; isDamaged?: (true) };
export type User = { id: number; username: string; role: ("client" | "admin"); messageQuota: number; disabled: boolean; secondFactor: boolean; lacksSecondFactor: boolean; firstPassword: boolean; createdAt: number; colleague?: { client: number; clientName: string; duty: GivenDuty; waits: boolean } };
export type UserEffect = { userId: number; runningCampaigns: number; waitingMessages: number; readyCampaigns: number; sessions: number; lastSeenAt: (number | null); colleagues: number };
export type Webhook = { id: number; name: string; url: string; types: Array<("campaign.queued" | "campaign.taken_back" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.failed" | "campaign.cancelled" | "campaign.reopened" | "message.sent" | "message.failed" | "message.unknown" | "message.skipped" | "message.cancelled" | "message.expired" | "opt_out.created" | "reply.received" | "quota.low" | "site.created" | "site.enrolled" | "site.connected" | "site.lost" | "site.stopped" | "site.started" | "site.revoked" | "account.ok" | "account.banned" | "account.restricted" | "account.logged_out" | "account.app_missing" | "account.unreachable" | "alert.raised" | "alert.ended" | (string & Record<never, never>))>; quotaBelow: number; createdAt: number; paused: ({ at: number; why: ("person" | "failed" | "gone" | "restored" | (string & Record<never, never>)) } | null); failingSince: (number | null); arrivedAt: (number | null); waiting: number; givenUp: number; oldSecretUntil: (number | null) };
export type WebhookCallDetail = { id: number; webhookId: string; type: string; events: number; campaignId: (number | null); state: ("waiting" | "arrived" | "given_up" | (string & Record<never, never>)); madeAt: number; tries: number; nextAt: (number | null); endedAt: (number | null); lastStatus: (number | null); lastReason: ("name" | "address" | "connect" | "tls" | "refused" | "timeout" | "broken" | "too_long" | "secret" | (string & Record<never, never>)); attempts: Array<{ at: number; ms: number; status: (number | null); reason: ("name" | "address" | "connect" | "tls" | "refused" | "timeout" | "broken" | "too_long" | "secret" | (string & Record<never, never>)) }>; body: (string | null) };
export type WebhookCallPage = { items: Array<{ id: number; webhookId: string; type: string; events: number; campaignId: (number | null); state: ("waiting" | "arrived" | "given_up" | (string & Record<never, never>)); madeAt: number; tries: number; nextAt: (number | null); endedAt: (number | null); lastStatus: (number | null); lastReason: ("name" | "address" | "connect" | "tls" | "refused" | "timeout" | "broken" | "too_long" | "secret" | (string & Record<never, never>)) }>; nextCursor: (number | null) };
export type Webhooks = { webhooks: Array<Webhook> };
