import { ActionLink } from "../../parts/Action";
import type { Role } from "../../parts/session";
import { Empty } from "../../parts/states";
import { useWords } from "../../words";

/** Says which role a page needs. */
export default function ForbiddenPage({ role }: { role: Role }) {
  const { t } = useWords();
  return (
    <div data-forbidden={role} className="grid place-items-center">
      <Empty page title={t("no_access")}>{t("no_access_text", { role: t(`team_role_${role}`) })}</Empty>
      <ActionLink href="/">{t("to_home")}</ActionLink>
    </div>
  );
}
