/** The text of a screen file with the ids that the simulator's `updateApps` moves the app's ids to. */
export const MOVED_IDS = JSON.stringify({
  name: "app-2-26",
  language: "any",
  appVersions: { from: "2.26", below: "2.27" },
  ids: [{
    source: "the ids of the simulator after an update",
    seen: false,
    names: {
      entry: ["entry_n"],
      send: ["send_n"],
      voiceButton: ["voice_note_btn_n"],
      contactName: ["conversation_contact_name_n"],
      row: ["conversation_text_row_n"],
      rowText: ["message_text_n", "caption_n"],
      rowDate: ["date_n"],
      rowStatus: ["status_n"],
      caption: ["caption_n"],
      recipients: ["recipients_text_n"],
      chatRow: ["contact_row_container_n"],
    },
  }],
});
