import { finding } from '../../report/finding.ts'
import { assessArchive } from '../files/archives.ts'
import {
  assessCat,
  assessCopy,
  assessDd,
  assessDelete,
  assessFind,
  assessLink,
  assessMode,
  assessMove,
  assessPatch,
  assessTruncate,
  filterUnless,
} from '../files/file-operations.ts'
import { assessAwk, assessEditor, assessSed, assessWindowEditor } from '../files/stream-editors.ts'
import { fixed, type ProgramRow, READS } from './program-row.ts'

/** Programs for files and text. */
export const FILES: readonly ProgramRow[] = [
  ['rm grm rmdir unlink shred srm wipe trash trash-put rimraf del-cli', assessDelete],
  ['mv gmv', assessMove],
  ['cp install gcp ginstall', assessCopy],
  ['ln gln', assessLink],
  ['truncate', assessTruncate],
  ['cat gcat tac', assessCat],
  ['find gfind', assessFind],
  ['fd fdfind', filterUnless('--exec-unknown')],
  ['grep egrep fgrep ggrep pcregrep', READS],
  ['ag ack ugrep ug', filterUnless('--pager')],
  ['rg', filterUnless('--pre', '--hostname-bin')],
  ['rga', READS],
  ['ast-grep sg-cli comby', fixed('low', 'files.search', 'searches by its structure')],
  ['sort gsort', filterUnless('--compress-program')],
  ['uniq', READS],
  [
    'yq dasel tomlq',
    ({ part, program }) =>
      part.args.some(
        ({ value }) => value !== null && /^(?:-[a-zA-Z]*i[a-zA-Z]*|--inplace|--in-place|put|delete)$/.test(value),
      )
        ? finding('medium', 'files.rewrite', `${program} rewrites a file`)
        : finding('none', 'files.filter', `${program} only reads`),
  ],
  ['chmod gchmod chown chgrp chattr setfacl setcap chflags xattr', assessMode],
  ['dd gdd', assessDd],
  [
    'tar bsdtar gtar zip unzip 7z 7za 7zz rar unrar gzip gunzip pigz unpigz bzip2 bunzip2 xz unxz lzma lz4 zstd unzstd ' +
      'brotli cpio ar compress uncompress ditto',
    assessArchive,
  ],
  ['sed gsed', assessSed],
  ['awk gawk mawk nawk goawk', assessAwk],
  ['patch git-apply', assessPatch],
  ['vi vim nvim gvim view vimdiff nano emacs emacsclient pico ed ex micro hx helix kak joe mcedit', assessEditor],
  [
    'code code-insiders codium cursor subl zed idea webstorm pycharm goland atom mate bbedit gedit kate windsurf',
    assessWindowEditor,
  ],
  ['sd rpl rename prename perl-rename mmv', fixed('medium', 'files.rewrite', 'rewrites or renames files')],
  ['split csplit sponge dos2unix unix2dos fallocate', fixed('medium', 'files.write', 'writes files')],
  ['rsnapshot fdupes', fixed('medium', 'files.copy', 'works on many files')],
  ['stow chezmoi yadm', fixed('medium', 'files.dotfiles', 'changes settings in the home folder')],
]
