import { createContext, type ReactNode, useContext } from 'react'

const RegionsOf = createContext('')

/** Says of which call the regions inside are, where a page shows several: no two regions may have one name. */
export function RegionGroup({ of, children }: { readonly of: string; readonly children: ReactNode }): ReactNode {
  return <RegionsOf value={of}>{children}</RegionsOf>
}

/** A named part of a card, for those who go from part to part by ear. The name must be safe text. */
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
