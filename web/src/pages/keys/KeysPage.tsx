import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { app } from "../../data/client";
import { type Key, keysQuery, type NewKey } from "../../data/settings";
import { Action } from "../../parts/Action";
import { Confirm } from "../../parts/Confirm";
import { Copy } from "../../parts/Copy";
import { Count, List, useList } from "../../parts/List";
import { Mark } from "../../parts/Mark";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { Quiet } from "../../parts/Quiet";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import { KeySheet, roleWords } from "./KeySheet";
import { ReadyCalls } from "./ReadyCalls";

export default function KeysPage() {
  const { t } = useWords();
  const { cursor, set } = useList();
  const queries = useQueryClient();
  const keys = useQuery(keysQuery(cursor));
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewKey | null>(null);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const create = <Action look="main" onPress={() => setCreating(true)}><Plus size={16} aria-hidden />{t("key_new")}</Action>;
  return (
    <Page title={t("key_title")} note={<Count of={keys.data} word="n_keys" />} actions={!created && create}>
      {created ? <Created of={created} onDone={() => setCreated(null)} /> : <p className="-mt-3 text-muted">{t("key_lead")}</p>}
      <List query={keys} rows={(d) => d.keys} filtered={false} cursor={cursor} onCursor={(next) => set({ cursor: next })} empty={{ title: t("key_none"), text: t("key_none_text") }}>
        {(d) => (
          <Table
            label={t("key_title")}
            rows={d.keys}
            keyOf={(key) => key.uuid}
            columns={[
              { title: t("key_col_title"), cell: (key) => <div className={`break-words whitespace-normal ${key.revoked_at ? "text-muted" : "font-bold"}`}><bdi>{key.title}</bdi></div> },
              { title: t("key_col_role"), cell: (key) => t(roleWords[key.role]) },
              { title: t("key_col_created"), cell: (key) => <><Moment at={key.created_at} time={false} /><div className="text-xs break-all text-muted"><bdi>{key.created_by}</bdi></div></>, minor: true },
              { title: t("key_col_state"), cell: (key) => (key.revoked_at ? <Mark look="off">{t("key_revoked")}</Mark> : <Mark look="good">{t("key_active")}</Mark>) },
              { title: <span className="sr-only">{t("key_revoke")}</span>, cell: (key) => !key.revoked_at && <span className="flex justify-end"><Quiet label={t("key_revoke_named", { title: key.title })} onPress={() => setRevoking(key)}>{t("key_revoke_short")}</Quiet></span> },
            ]}
          />
        )}
      </List>
      {creating && (
        <KeySheet
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
          }}
        />
      )}
      {revoking && (
        <Confirm
          title={t("key_revoke")}
          action={t("key_revoke")}
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await app.DELETE("/api/keys/{key_id}/", { params: { path: { key_id: revoking.uuid } } });
            await queries.invalidateQueries({ queryKey: ["keys"] });
            notify(t("key_revoked_note"));
          }}
        >
          <p>{t("key_revoke_text", { title: revoking.title })}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** A new key, which is shown this once. */
function Created({ of, onDone }: { of: NewKey; onDone: () => void }) {
  const { t, pick } = useWords();
  return (
    <Panel title={t("key_created", { title: of.title })}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
        <p>{t("key_once")}</p>
        {of.blocked && <p role="alert" className="text-bad">{pick(of.blocked_ar, of.blocked)}</p>}
        <div className="flex flex-wrap items-center gap-2">
          <code dir="ltr" data-key className="min-w-0 rounded-md border border-line bg-sunken px-3 py-2 break-all">{of.key}</code>
          <Copy text={of.key} />
        </div>
        <ReadyCalls of={of} />
        <div><Action look="main" onPress={onDone}>{t("key_done")}</Action></div>
      </div>
    </Panel>
  );
}
