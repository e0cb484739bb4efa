import { useQuery } from "@tanstack/react-query";
import { Failure, signedIn } from "../../data/client";
import { sessionQuery } from "../../data/queries";
import { setUpQuery } from "../../data/setup";
import { ActionLink } from "../../parts/Action";
import { SessionContext } from "../../parts/session";
import { ErrorState, Loading } from "../../parts/states";
import { useToken } from "../../parts/token";
import { useWords } from "../../words";
import { Begin } from "./Begin";
import { Continue } from "./Continue";
import { Frame, Heading } from "./Frame";

/** The set-up: from the link of an empty installation to its first invoice. */
export default function SetupPage() {
  const { t } = useWords();
  const [token, forget] = useToken("setup");
  const setUp = useQuery(setUpQuery);
  const known = signedIn.get();
  const session = useQuery({ ...sessionQuery, enabled: known });
  const ended = session.error instanceof Failure && session.error.status === 401;
  if (ended) signedIn.clear();
  if (setUp.isPending || (known && !ended && session.isPending)) return <Loading />;
  const error = setUp.error ?? (ended ? null : session.error);
  if (error || !setUp.data) return <ErrorState page error={error} retry={() => void Promise.all([setUp.refetch(), session.refetch()])} />;
  if (known && session.data) {
    return <SessionContext value={session.data}><Continue setUp={setUp.data} /></SessionContext>;
  }
  if (setUp.data.needed && token) return <Begin token={token} setUp={setUp.data} onUsed={forget} />;
  if (setUp.data.needed) {
    return (
      <Frame step={null}>
        <Heading title={t("setup_no_link_title")}>{t("setup_no_link_text")}</Heading>
        <p><code dir="ltr" className="rounded-md border border-line bg-surface px-3 py-2">khatm setup-link</code></p>
      </Frame>
    );
  }
  return (
    <Frame step={null}>
      <Heading title={t("setup_done_before_title")}>{t("setup_done_before_text")}</Heading>
      <p><ActionLink href="/login?to=/setup" look="main">{t("sign_in")}</ActionLink></p>
    </Frame>
  );
}
