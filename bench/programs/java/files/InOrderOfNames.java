import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;

/** Gives files to readers in the order of their names, so that no reader comes to a file that is behind its watermark. */
final class InOrderOfNames implements FileSplitAssigner {
    private final ArrayDeque<FileSourceSplit> splits = new ArrayDeque<>();

    InOrderOfNames(Collection<FileSourceSplit> splits) {
        addSplits(splits);
    }

    @Override
    public Optional<FileSourceSplit> getNext(String host) {
        return Optional.ofNullable(splits.poll());
    }

    @Override
    public void addSplits(Collection<FileSourceSplit> added) {
        splits.addAll(added);
        var sorted = splits.stream().sorted(Comparator.comparing(split -> split.path().getName())).toList();
        splits.clear();
        splits.addAll(sorted);
    }

    @Override
    public Collection<FileSourceSplit> remainingSplits() {
        return splits;
    }
}
