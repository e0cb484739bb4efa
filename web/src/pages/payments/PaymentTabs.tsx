import { Tabs } from "../../parts/Tabs";
import { useWords } from "../../words";

export function PaymentTabs({ current }: { current: "/payments" | "/payments/refunds" | "/payments/ageing" }) {
  const { t } = useWords();
  const tabs = [
    { href: "/payments", title: t("receipt_title") },
    { href: "/payments/refunds", title: t("refund_title") },
    { href: "/payments/ageing", title: t("ageing_title") },
  ];
  return <Tabs label={t("nav_payments")} tabs={tabs} current={current} />;
}
