import { useLocation } from "wouter";
import { ClientForm } from "../../parts/ClientForm";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { useWords } from "../../words";

export default function NewClientPage() {
  const { t } = useWords();
  const [, navigate] = useLocation();
  return (
    <Page back={{ href: "/clients", title: t("nav_clients") }} title={t("client_new")}>
      <section className="max-w-3xl rounded-xl border border-line bg-surface p-4 sm:p-6">
        <ClientForm
          onSaved={(client) => {
            notify(t("client_created"));
            navigate(`/clients/${client.uuid}`);
          }}
          onCancel={() => navigate("/clients")}
        />
      </section>
    </Page>
  );
}
