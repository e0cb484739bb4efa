import type { Letter } from "../../data/settings";
import type { Word } from "../../words/ar";

export const states: Record<Letter["state"], { word: Word; look: "good" | "wait" | "bad" | "off" }> = {
  queued: { word: "letter_state_queued", look: "wait" },
  sent: { word: "letter_state_sent", look: "good" },
  refused: { word: "letter_state_refused", look: "bad" },
  expired: { word: "letter_state_expired", look: "off" },
};

const subjects: Record<string, Word> = {
  "new password": "letter_about_password",
  "member invitation": "letter_about_member",
  "sign-up": "letter_about_signup",
  "draft invitation": "letter_about_draft",
  "draft approval code": "letter_about_code",
  "draft declined": "letter_about_declined",
};

/** Returns the word for what a letter is about, if it is a known one. */
export function aboutWord(about: string): Word | undefined {
  return subjects[about];
}
