import { useSyncExternalStore } from 'react'

const KEY = 'countersign-passkey'
const listeners = new Set<() => void>()

/** The approver whose passkey this browser asks for; null before one was chosen, made or used here. */
export function chosenPasskey(): string | null {
  return localStorage.getItem(KEY)
}

/** Null: whichever answers. */
export function choosePasskey(id: string | null): void {
  if (id === chosenPasskey()) return
  if (id === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, id)
  for (const listener of listeners) listener()
}

export function useChosenPasskey(): string | null {
  return useSyncExternalStore(subscribe, chosenPasskey)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
