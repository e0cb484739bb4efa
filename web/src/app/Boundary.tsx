import { Component, type ReactNode } from "react";
import { ErrorState } from "../parts/states";

interface Props {
  /** Shows the children again when it changes. */
  page: string;
  children: ReactNode;
}

/** Shows an error of a page in its place, so that the rest of the app still works. */
export class Boundary extends Component<Props, { error: unknown; page: string }> {
  override state = { error: null as unknown, page: this.props.page };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: { error: unknown; page: string }) {
    return props.page === state.page ? null : { error: null, page: props.page };
  }

  override render() {
    // A page of an older version may ask for files that the server no longer has, so all of it is loaded again.
    if (this.state.error) return <ErrorState page error={this.state.error} retry={() => location.reload()} />;
    return this.props.children;
  }
}
