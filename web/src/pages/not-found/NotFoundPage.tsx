import { ActionLink } from "../../parts/Action";
import { Empty } from "../../parts/states";
import { useWords } from "../../words";

export default function NotFoundPage() {
  const { t } = useWords();
  return (
    <div className="grid place-items-center">
      <Empty page title={t("not_found")}>{t("not_found_text")}</Empty>
      <ActionLink href="/">{t("to_home")}</ActionLink>
    </div>
  );
}
