import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../ui/error-note.tsx';

interface Properties {
  /** Navigating to another address clears the error. */
  readonly address: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | null;
  readonly address: string;
}

/** Catches errors of a screen that could not be loaded or rendered. React requires a class here. */
export class ErrorBoundary extends Component<Properties, State> {
  override readonly state: State = { error: null, address: this.props.address };

  static getDerivedStateFromProps({ address }: Properties, state: State): State | null {
    return address === state.address ? null : { error: null, address };
  }

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? (
      this.props.children
    ) : (
      <ErrorNote error={error} retry={() => window.location.reload()} />
    );
  }
}
