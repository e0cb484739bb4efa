import { account } from "./account";
import { catalogue } from "./catalogue";
import { common } from "./common";
import { editor } from "./editor";
import { home } from "./home";
import { invoices } from "./invoices";
import { paper } from "./paper";
import { payments } from "./payments";
import { settings } from "./settings";
import { setup } from "./setup";
import { tools } from "./tools";

/** The Arabic words of the app. Every other language has the same keys. */
export const ar = { ...common, ...account, ...home, ...invoices, ...paper, ...editor, ...catalogue, ...payments, ...settings, ...setup, ...tools };

export type Word = keyof typeof ar;
