import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../ui/states.tsx';

interface Properties {
  /** Navigating to another address clears the error. */
  readonly address: string;
  readonly children: ReactNode;
}

type State = Pick<Properties, 'address'> & { readonly error: Error | null };

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
    if (error === null) return this.props.children;
    return <ErrorNote error={error} retry={() => window.location.reload()} />;
  }
}
