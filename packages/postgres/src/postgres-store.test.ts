import { onEachPostgres } from '@countersign/testing/postgres/each-version'
import { fileLaws } from '@countersign/testing/store/file-laws'
import { groupLaws } from '@countersign/testing/store/group-laws'
import { storeLaws } from '@countersign/testing/store/store-laws'
import { openedOn } from './store-fixture.mts'

onEachPostgres('on a real server', (server) => {
  const opened = (options: { readonly now?: () => number } = {}) => openedOn(server, options)

  storeLaws('the PostgreSQL store', opened)
  groupLaws('the PostgreSQL store', opened)
  fileLaws('the PostgreSQL store', opened)
})
