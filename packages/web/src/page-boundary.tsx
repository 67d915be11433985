import { Component, type ReactNode } from 'react'

interface Props {
  /** Another one is another page: what went wrong on the last is forgotten. */
  readonly path: string
  readonly children: ReactNode
}

/** A page that could not be drawn or loaded says so; a service that was updated under an open page is the usual cause. */
export class PageBoundary extends Component<Props, { readonly failed: string | null }> {
  override state = { failed: null }

  static getDerivedStateFromError(error: unknown): { readonly failed: string } {
    return { failed: error instanceof Error ? error.message : 'unknown' }
  }

  override componentDidUpdate(before: Props): void {
    if (before.path !== this.props.path && this.state.failed !== null) this.setState({ failed: null })
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children
    return (
      <div className="pane-empty" role="alert">
        <p>This page could not be shown, and nothing was decided. The inbox may have been updated.</p>
        <button type="button" className="cs-button cs-primary" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    )
  }
}
