import { finding } from '../../finding.ts'
import {
  assessArchive,
  assessAwk,
  assessCopy,
  assessDd,
  assessDelete,
  assessFind,
  assessMode,
  assessMove,
  assessPatch,
  assessSed,
  assessTruncate,
  filterUnless,
} from '../files.ts'
import { fixed, type ProgramRow, READS } from './row.ts'

/** Programs for files and text. */
export const FILES: readonly ProgramRow[] = [
  ['rm rmdir unlink shred srm wipe trash', assessDelete],
  ['mv', assessMove],
  ['cp install gcp', assessCopy],
  ['truncate', assessTruncate],
  ['find', assessFind],
  ['fd fdfind', filterUnless('--exec-unknown')],
  ['grep egrep fgrep ag ack', filterUnless('--pager')],
  ['rg', filterUnless('--pre', '--hostname-bin')],
  ['sort gsort', filterUnless('--compress-program')],
  ['uniq', READS],
  [
    'yq',
    ({ part }) =>
      part.args.some((word) => word.value === '-i' || word.value === '--inplace')
        ? finding('medium', 'files.rewrite', 'yq rewrites a file')
        : finding('none', 'files.filter', 'yq only reads'),
  ],
  ['chmod chown chgrp chattr setfacl', assessMode],
  ['dd', assessDd],
  ['tar bsdtar gtar zip unzip 7z 7za rar unrar gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd cpio ar', assessArchive],
  ['sed gsed', assessSed],
  ['awk gawk mawk nawk', assessAwk],
  ['patch', assessPatch],
  ['vi vim nvim nano emacs pico ed ex code subl', fixed('medium', 'files.editor', 'opens an editor')],
]
