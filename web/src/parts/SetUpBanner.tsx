import { useWords } from "../words";
import { ActionLink } from "./Action";
import { FirstStep } from "./FirstStep";
import { useSession } from "./session";

/** Leads to the rest of the set-up while no device can issue. */
export function SetUpBanner() {
  const { t } = useWords();
  const { can } = useSession();
  return (
    <FirstStep title={t("setup_admin_title")} action={can("Admin") && <ActionLink look="main" href="/setup">{t("home_setup")}</ActionLink>}>
      {t(can("Admin") ? "home_setup_text" : "setup_admin_text")}
    </FirstStep>
  );
}
