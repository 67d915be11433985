import { createContext, type ReactNode, useContext } from 'react'

const RegionsOf = createContext('')

/** Adds a suffix to the labels of the regions inside. Landmark names must be unique on a page with several calls. */
export function RegionGroup({ of, children }: { readonly of: string; readonly children: ReactNode }): ReactNode {
  return <RegionsOf value={of}>{children}</RegionsOf>
}

/** A labelled landmark for screen readers. The label must be safe text. */
export function Region({
  label,
  className,
  children,
}: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  const of = useContext(RegionsOf)
  return (
    <section className={className} aria-label={of === '' ? label : `${label}, ${of}`}>
      {children}
    </section>
  )
}
