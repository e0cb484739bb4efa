import type { Member } from "../../data/settings";
import type { Word } from "../../words/ar";

export type Role = Member["role"];

/** The roles, from the most permissions to the least, and what each may do. */
export const roles: { id: Role; word: Word; help: Word }[] = [
  { id: "Admin", word: "team_role_Admin", help: "team_role_help_Admin" },
  { id: "Accountant", word: "team_role_Accountant", help: "team_role_help_Accountant" },
  { id: "CreateInvoice", word: "team_role_CreateInvoice", help: "team_role_help_CreateInvoice" },
  { id: "ViewInvoice", word: "team_role_ViewInvoice", help: "team_role_help_ViewInvoice" },
];

export function roleOf(id: Role) {
  return roles.find((role) => role.id === id) ?? { id, word: "team_role_ViewInvoice" as Word, help: "team_role_help_ViewInvoice" as Word };
}
