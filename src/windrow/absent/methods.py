"""Methods of Flink's classes that are left out, each with the reason and what to use instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from windrow.absent.tables import TABLE_METHODS

_ASYNC_STATE = "state is always in the subtask's memory while a batch runs, so there is nothing to wait for"
_BROADCAST_VARIABLE = "they are of Flink's old DataSet API; a broadcast stream or a function's own field does it"
_CACHE = "a job's results end with it; keep them in files, or in Spark with to_dataframe(schema).cache()"
_COLLECT = "execute_and_collect gives a stream's elements, environment.to_dataframe those of several streams in one job"
_FINAL_SORT = (
    "key_by(...) or window_all with GlobalWindows.create_with_end_of_stream_trigger() and process gives a function all "
    "elements at the end of the input"
)
_FOLD = "Flink has given it up for aggregate, whose accumulators can be merged when windows are, as sessions"
_INTERNAL = "it is a part of Flink's own machinery"
_ITERATE = "a Spark query has no way back to where it began, and Flink 2 has taken iterations out too"
_JAVA_OPERATOR = "operators are Windrow's own; process takes a function with state and timers"
_JAVA_TYPES = "it serves Java's type erasure; output_type says what an operator gives"
_METRIC_VARIABLE = "metrics are by operator and by name, without variables; put what tells them apart into the name"
_QUERYABLE = "Spark reads a checkpoint's state with its state data source, and Flink has given up queryable state"
_RESOURCES = "Spark decides on resources by executor, not by operator"
_SOURCE = "from_source takes a source with splits that can be read again; Flink has replaced source functions by it too"
_WRITE = "Flink has given it up for sinks; sink_to takes a FileSink, which writes each element exactly once"

#: By class and method, in Windrow's spelling. What is said of a class holds for those that are derived from it.
METHODS: Final[Mapping[str, Mapping[str, str]]] = {
    **TABLE_METHODS,
    "DataStream": {
        "add_metric_variable": _METRIC_VARIABLE,
        "assign_timestamps": "it is the old name of assign_timestamps_and_watermarks",
        "cache": _CACHE,
        "collect_async": _COLLECT,
        "enable_async_state": _ASYNC_STATE,
        "full_window_partition": _FINAL_SORT,
        "get_min_resources": _RESOURCES,
        "get_parallelism": (
            "an operator that does not say its own runs with its input's, which is known when the job is planned: "
            "environment.get_execution_plan() shows it, and the runtime context tells it to functions"
        ),
        "get_preferred_resources": _RESOURCES,
        "get_transformation": _INTERNAL,
        "iterate": _ITERATE,
        "returns": _JAVA_TYPES,
        "transform": _JAVA_OPERATOR,
        "write_as_csv": _WRITE,
        "write_as_text": _WRITE,
        "write_to_socket": "add_sink takes a function, which can open a socket and write to it",
        "write_using_output_format": _WRITE,
    },
    "DataStreamSink": {
        "add_metric_variable": _METRIC_VARIABLE,
        "for_sink": _INTERNAL,
        "for_sink_v1": _INTERNAL,
        "get_legacy_transformation": _INTERNAL,
        "get_transformation": _INTERNAL,
    },
    "KeyedStream": {
        "as_queryable_state": _QUERYABLE,
        "get_key_selector": "it is what key_by was given",
    },
    "IntervalJoined": {"enable_async_state": _ASYNC_STATE},
    "WindowedStream": {"enable_async_state": _ASYNC_STATE, "fold": _FOLD},
    "AllWindowedStream": {"fold": _FOLD},
    "ConnectedStreams": {"enable_async_state": _ASYNC_STATE, "transform": _JAVA_OPERATOR},
    "BroadcastStream": {
        "clean": _INTERNAL,
        "get_broadcast_state_descriptor": "there may be several: get_broadcast_state_descriptors()",
        "get_transformation": _INTERNAL,
    },
    "StreamExecutionEnvironment": {
        "add_operator": _INTERNAL,
        "add_source": _SOURCE,
        "are_explicit_environments_allowed": _INTERNAL,
        "clean": _INTERNAL,
        "clear_job_listeners": "execute_async returns a JobClient, which says what becomes of the job",
        "create_local_environment_with_web_ui": "Spark's own web page shows its jobs: spark.ui.port says where",
        "create_remote_environment": (
            "get_execution_environment(spark_session=...) takes a Spark session that is connected to a cluster"
        ),
        "from_data": "from_collection takes a collection, from_elements the elements themselves",
        "from_parallel_collection": "from_source takes a source that gives several splits",
        "generate_sequence": "Flink has given it up for from_sequence",
        "generate_stream_graph": _INTERNAL,
        "get_cached_files": "see register_cached_file",
        "get_job_listeners": "execute_async returns a JobClient, which says what becomes of the job",
        "get_number_of_execution_retries": "Flink has given it up for restart strategies",
        "get_stream_graph": "get_execution_plan() shows the graph",
        "get_transformations": _INTERNAL,
        "invalidate_cluster_dataset": _CACHE,
        "read_file": "from_source takes a FileSource, from_dataframe all that Spark reads",
        "read_file_stream": "from_dataframe(spark.readStream...) follows a folder as files come",
        "register_cache_transformation": _INTERNAL,
        "register_cached_file": (
            "a function carries what it refers to along; files get to the workers with spark.files and SparkFiles.get"
        ),
        "register_collect_iterator": _INTERNAL,
        "register_job_listener": "execute_async returns a JobClient, which says what becomes of the job",
        "set_number_of_execution_retries": "Flink has given it up for restart strategies",
    },
    "RuntimeContext": {
        "create_serializer": "elements and state are pickled",
        "get_all_accumulators": "Flink has given it up; the JobExecutionResult has all of them",
        "get_broadcast_variable": _BROADCAST_VARIABLE,
        "get_broadcast_variable_with_initializer": _BROADCAST_VARIABLE,
        "get_distributed_cache": (
            "a function carries what it refers to along; files get to the workers with spark.files and SparkFiles.get"
        ),
        "get_execution_config": "get_job_parameter gives what a function needs of it",
        "get_external_resource_infos": "Spark tells a task its GPUs: TaskContext.get().resources()",
        "get_folding_state": "Flink has given it up for get_aggregating_state",
        "get_global_job_parameters": "get_job_parameter(key, default) gives one, as in PyFlink",
        "get_job_id": "what it tells is in the JobClient and the JobExecutionResult",
        "get_job_info": "what it tells is in the JobClient and the JobExecutionResult",
        "get_task_info": "the runtime context itself tells it, as in PyFlink: get_index_of_this_subtask(), ...",
        "get_user_code_class_loader": "there is no JVM behind a function",
        "has_broadcast_variable": _BROADCAST_VARIABLE,
        "register_user_code_class_loader_release_hook_if_absent": "there is no JVM behind a function; see close()",
    },
    "Function": {
        "get_iteration_runtime_context": _ITERATE,
        "get_runtime_context": "open is given it, as in PyFlink: keep there what is needed later",
        "set_runtime_context": "a function does not get its context by a setter: open is given it, as in PyFlink",
        "use_interruptible_timers": "timers run between batches of elements, so none holds up a checkpoint",
    },
    "JobClient": {
        "report_heartbeat": _INTERNAL,
    },
    "JobExecutionResult": {
        "from_job_submission_result": _INTERNAL,
        "get_int_counter_result": "get_accumulator_result gives the results of all kinds",
        "get_job_execution_result": _INTERNAL,
        "is_job_execution_result": _INTERNAL,
    },
    "BasicTypeInfo": {
        f"{name}_TYPE_INFO": f"Types.{name}() is the same"
        for name in (
            "BIG_DEC",
            "BIG_INT",
            "BOOLEAN",
            "BYTE",
            "CHAR",
            "DOUBLE",
            "FLOAT",
            "INSTANT",
            "INT",
            "LONG",
            "SHORT",
            "STRING",
        )
    },
    "FileSink": {"get_transformer": _INTERNAL},
    "KafkaSink": {"get_transformer": _INTERNAL},
    "ContinuousEventTimeTrigger": {"register_next_fire_timestamp": _INTERNAL},
    "ContinuousProcessingTimeTrigger": {"register_next_fire_timestamp": _INTERNAL},
}

#: Classes of Flink that are left out as a whole.
CLASSES: Final[Mapping[str, str]] = {
    "CachedDataStream": _CACHE,
    "DataStreamUtils": f"reinterpret_as_keyed_stream trusts data to be in place already; call key_by. {_COLLECT}",
    "IterativeStream": _ITERATE,
    "MultipleConnectedStreams": "connect joins two streams; union them, or connect one after the other",
    "PartitionWindowedStream": _FINAL_SORT,
    "QueryableStateStream": _QUERYABLE,
}
