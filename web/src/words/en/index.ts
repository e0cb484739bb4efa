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
import type { Word } from "../ar";

export const en: Record<Word, string> = { ...common, ...account, ...home, ...invoices, ...paper, ...editor, ...catalogue, ...payments, ...settings, ...setup, ...tools };
